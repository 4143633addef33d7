"""Questions to the graph: those of the cookbook, and any text that only reads."""

from graphplace.ask.answer import Answer, Limits, ask, browser_text, document, run
from graphplace.ask.cookbook import Parameter, Question, cookbook, question
from graphplace.ask.values import TYPES, read_values

__all__ = [
    "TYPES",
    "Answer",
    "Limits",
    "Parameter",
    "Question",
    "ask",
    "browser_text",
    "cookbook",
    "document",
    "question",
    "read_values",
    "run",
]
