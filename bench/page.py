"""Measure the page in Debian's Chromium: how long views take to be drawn, and what people do in them.

    .venv/bin/python bench/page.py http://127.0.0.1:8778 HOST QUERY

HOST is the name of a provider with children, QUERY a request for candidates that has several. Prints the median and the
worst of some times in milliseconds: of a view from the beginning of its loading, of an action until it is drawn.
"""

import os
import statistics
import sys

from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service

TIMES = 7
# After this people have seen where to click.
SETTLED_MS = 1500
READY = "document.querySelector('main')?.getAttribute('aria-busy') === 'false'"
DRAWN = f"{READY} && document.querySelector('.canvas')?.dataset.boxes > 0"
# Waits for a condition, and one frame more: what is there is on the screen then.
WAIT = """
    const done = arguments[arguments.length - 1];
    const met = () => %s;
    const wait = () => met() ? requestAnimationFrame(() => done(performance.now() - since)) : setTimeout(wait, 1);
"""
VIEW = f"{WAIT}; const since = 0; wait();"
ACT = f"{WAIT}; const since = performance.now(); (() => {{ %s }})(); wait();"

FOUND = f"{READY} && document.querySelector('.found')"
GIVEN = "document.querySelector('.given').textContent"
BOXES = "document.querySelector('.canvas').dataset.boxes"


def main(root: str, host: str, query: str) -> None:
    """Measure the page of the server at *root*."""
    options = ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for argument in ("--headless=new", "--window-size=1280,900", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    if os.geteuid() == 0:
        options.add_argument("--no-sandbox")
    with Chrome(options, Service("/usr/bin/chromedriver")) as browser:
        browser.get(f"{root}/livez")
        browser.execute_script("sessionStorage.setItem('graphplace.token', 'admin')")
        views = {
            "the first view: /ui/": ("/ui/", READY),
            "a search by a part of a name": (f"/ui/search?q={host[1:]}", READY),
            "a host's tree": (f"/ui/tree/{host}", DRAWN),
            "the first candidate of a request": (f"/ui/candidates?{query}", DRAWN),
        }
        for title, (path, condition) in views.items():
            report(title, [view(browser, root + path, condition) for _ in range(TIMES)])
        browser.get(f"{root}/ui/tree/{host}")
        browser.execute_async_script(VIEW % DRAWN)
        item = "document.querySelector('ul ul [role=treeitem]')"
        toggle = "document.querySelector('[data-toggle]').click()"
        closed = f"{BOXES} < window.before"
        opened = f"{BOXES} >= window.before"
        browser.execute_script(f"window.before = Number({BOXES})")
        report("close and open a host", [act(browser, toggle, one) for one in [closed, opened] * TIMES])
        select = f"{item}.querySelector('.name').click()"
        report("select a provider", [act(browser, select, f"{item}.ariaSelected === 'true'") for _ in range(TIMES)])
        browser.get(f"{root}/ui/candidates?{query}")
        browser.execute_async_script(VIEW % DRAWN)
        step = f"window.shown = {GIVEN}; document.querySelector('.stepper').lastChild.click()"
        drawn = f"{GIVEN} !== window.shown"
        report("step to the next candidate", [act(browser, step, drawn) for _ in range(TIMES)])
        send = "document.querySelector('form.request').requestSubmit()"
        report("send a request for candidates", [act(browser, send, DRAWN) for _ in range(TIMES)])
        ways = (
            ("from a search to a host's tree", "document.querySelector('.found a').click()", DRAWN),
            ("back to the search", "history.back()", FOUND),
            ("go to the first hosts", "document.querySelector('.brand').click()", FOUND),
        )
        times: dict[str, list[float]] = {title: [] for title, _, _ in ways}
        for _ in range(TIMES):
            browser.get(f"{root}/ui/search?q={host}")
            browser.execute_async_script(VIEW % f"{READY} && performance.now() > {SETTLED_MS}")
            for title, action, met in ways:
                times[title].append(act(browser, action, met))
        for title, taken in times.items():
            report(title, taken)


def view(browser: Chrome, address: str, condition: str) -> float:
    """Return how long a view takes to load, in milliseconds."""
    browser.get("about:blank")
    browser.get(address)
    return float(browser.execute_async_script(VIEW % condition))


def act(browser: Chrome, action: str, condition: str) -> float:
    """Return how long an action takes until a condition is met, in milliseconds."""
    return float(browser.execute_async_script(ACT % (condition, action)))


def report(title: str, times: list[float]) -> None:
    """Print a row of a table."""
    print(f"| {title} | {statistics.median(times):.0f} | {max(times):.0f} |", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
