"""``python -m graphplace.cli``: the ``graphplace`` command, where no script of that name is on the path."""

from graphplace.cli import main

main(prog_name="graphplace")
