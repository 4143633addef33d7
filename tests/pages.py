"""What a test does with the page, and sees of it."""

from pathlib import Path
from typing import Any

from selenium.webdriver import Chrome, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

AXE = Path(__file__).parent / "browser" / "axe" / "axe.min.js"
# However busy the machine is.
PATIENCE_SECONDS = 60
SERIOUS = {"serious", "critical"}


class Page:
    """The page of a server, in a browser whose user has given the token ``admin``."""

    def __init__(self, browser: Chrome, root: str) -> None:
        self.browser = browser
        self.root = root

    def open(self, path: str, *, ready: str = "main[aria-busy='false']") -> None:
        """Load a view and wait until it is all there, its drawing too."""
        # The same address with another fragment would not be loaded again.
        self.browser.get("about:blank")
        self.browser.get(self.root + path)
        self.find(ready)

    def find(self, css: str) -> WebElement:
        """Wait for an element."""
        return self._wait().until(lambda browser: browser.find_element(By.CSS_SELECTOR, css))

    def all(self, css: str) -> list[WebElement]:
        return self.browser.find_elements(By.CSS_SELECTOR, css)

    def texts(self, css: str) -> list[str]:
        return [one.text for one in self.all(css)]

    def until(self, script: str) -> Any:
        """Wait until a script returns what is true, and return that."""
        return self._wait().until(lambda browser: browser.execute_script(script))

    def press(self, *keys: str) -> None:
        """Press keys where the focus is."""
        for key in keys:
            self.browser.switch_to.active_element.send_keys(key)

    def focused(self) -> str:
        return str(self.browser.switch_to.active_element.get_attribute("aria-label") or "")

    def scheme(self, name: str) -> None:
        """Prefer ``light`` or ``dark``."""
        self.browser.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": name}]}
        )

    def faults(self) -> list[str]:
        """What axe-core finds that keeps people from using the view."""
        self.browser.execute_script(AXE.read_text())
        found = self.browser.execute_async_script("const done = arguments[0]; axe.run().then(done);")
        return [
            f"{one['id']}: {node['html']}: {node['failureSummary']}"
            for one in found["violations"]
            if one["impact"] in SERIOUS
            for node in one["nodes"]
        ]

    def complaints(self) -> list[str]:
        """What the console has said since it was asked: errors, and what the content security policy stopped."""
        return [entry["message"] for entry in self.browser.get_log("browser")]

    def _wait(self) -> WebDriverWait[Chrome]:
        return WebDriverWait(self.browser, PATIENCE_SECONDS, ignored_exceptions=())


def log_in(browser: Chrome, root: str) -> Page:
    """Give the token that the page proposes, and return the page."""
    page = Page(browser, root)
    page.open("/ui/", ready="dialog[open] input")
    assert page.find("#token").get_attribute("value") == "admin"
    page.press(Keys.ENTER)
    page.find("main[aria-busy='false']")
    return page
