"""A browser: Debian's Chromium, which reaches this machine only."""

import os
import shutil
from collections.abc import Iterator

import pytest
from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service

CHROMIUM, DRIVER = "chromium", "chromedriver"


@pytest.fixture(scope="session")
def browser() -> Iterator[Chrome]:
    """A browser without a window. Everything that pages say on the console is kept."""
    chromium, driver = shutil.which(CHROMIUM), shutil.which(DRIVER)
    if chromium is None or driver is None:
        pytest.skip("The page needs a browser: install Debian's packages chromium and chromium-driver.")
    options = ChromeOptions()
    options.binary_location = chromium
    for argument in (
        "--headless=new",
        "--disable-dev-shm-usage",
        "--disable-gpu",
        "--force-device-scale-factor=1",
        "--window-size=1280,900",
        # No other host has an address.
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
        # Chromium's sandbox refuses to run for root, as whom builds run.
        *(["--no-sandbox"] if os.geteuid() == 0 else []),
    ):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    with Chrome(options, Service(driver)) as browser:
        yield browser
