"""A headless Chromium, and what every case asks of it."""

import json
import shutil
import tempfile
import time
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.keys import Keys

DESKTOP = (1440, 900)
PHONE = (360, 740)
SECONDS = 10
PAUSE_SECONDS = 0.02
# Runs before the scripts of each page.
WATCH = """
window.pageTest = { violations: [], firstRow: null };
document.addEventListener("securitypolicyviolation", (event) => {
    pageTest.violations.push(`${event.effectiveDirective} ${event.blockedURI}`);
});
const look = () => {
    const price = document.querySelector(".rows .row[data-market] .price");
    if (price?.textContent) pageTest.firstRow = performance.now();
    else requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""


class Failure(Exception):
    """Why a case fails."""


def expect(subject, got, wanted):
    """Fails with both values unless they are equal."""
    if got != wanted:
        raise Failure(f"{subject}: expected {wanted!r:.600}, got {got!r:.600}")


class Browser:
    """One browser; each case has a tab of its own."""

    def __init__(self, logs_requests=True):
        options = Options()
        options.binary_location = shutil.which("chromium")
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu",
                         "--disable-background-networking", "--disable-component-update",
                         "--hide-scrollbars", "--lang=ko-KR"):
            options.add_argument(argument)
        # The page starts in the browser's language.
        options.add_experimental_option("prefs", {"intl.accept_languages": "ko-KR"})
        logs = {"browser": "ALL"} | ({"performance": "ALL"} if logs_requests else {})
        options.set_capability("goog:loggingPrefs", logs)
        self.driver = webdriver.Chrome(
            options=options, service=Service(shutil.which("chromedriver")))
        self.driver.set_script_timeout(30)
        self.requests = []

    # Tabs.

    def new_tab(self, *origins):
        """Goes on in an empty tab without the storage of these origins."""
        before = self.driver.current_window_handle
        self.driver.switch_to.new_window("tab")
        tab = self.driver.current_window_handle
        self.driver.switch_to.window(before)
        self.driver.close()
        self.driver.switch_to.window(tab)
        self.command("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
        for origin in origins:
            self.command("Storage.clearDataForOrigin", origin=origin, storageTypes="all")
        self.resize(*DESKTOP)
        self.severe_entries()
        self.keep_requests()

    def command(self, name, **parameters):
        """Sends a command of the DevTools protocol."""
        return self.driver.execute_cdp_cmd(name, parameters)

    def resize(self, width, height):
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height,
                     deviceScaleFactor=1, mobile=False)

    def open(self, address):
        self.driver.get(address)

    # What the page shows.

    def run(self, script, *arguments):
        """The result of a function's body in the page."""
        return self.driver.execute_script(script, *arguments)

    def run_async(self, script, *arguments):
        """The result that a function's body gives to its last argument."""
        return self.driver.execute_async_script(script, *arguments)

    def wait(self, subject, condition, *arguments, seconds=SECONDS):
        """Waits until a JavaScript expression, or a function, is true; returns its value."""
        end = time.monotonic() + seconds
        while True:
            value = condition() if callable(condition) else self.run(
                f"return {condition}", *arguments)
            if value:
                return value
            if time.monotonic() > end:
                raise Failure(f"{subject}: not within {seconds} s, is {value!r}; {self.state()}")
            time.sleep(PAUSE_SECONDS)

    def state(self):
        """What the page is about, for failures."""
        return self.run("""return [location.pathname + location.search,
            document.querySelector("#connection")?.textContent,
            document.querySelector("#problem:not([hidden]), #empty:not([hidden])")?.textContent,
            document.querySelector("dialog[open] h2")?.textContent,
            document.activeElement?.outerHTML.slice(0, 80)].filter(Boolean).join(" | ")""")

    def wait_live(self, seconds=SECONDS):
        self.wait("live data", 'document.querySelector("#connection")?.dataset.state === "live"',
                  seconds=seconds)

    def wait_rows(self):
        """Waits until the market list has prices."""
        self.wait("rows", 'document.querySelector(".rows .row[data-market] .price")?.textContent')

    def text(self, selector):
        """The text of an element; None without one."""
        return self.run("return document.querySelector(arguments[0])?.textContent ?? null",
                        selector)

    def count(self, selector):
        return self.run("return document.querySelectorAll(arguments[0]).length", selector)

    # What a user does.

    def click(self, selector):
        """Clicks the middle of an element, once it is there."""
        self.wait(selector, "document.querySelector(arguments[0])?.offsetParent", selector)
        self.driver.find_element("css selector", selector).click()

    def press(self, *keys):
        """Presses keys where the focus is."""
        ActionChains(self.driver, duration=0).send_keys(*keys).perform()

    def select_all(self):
        """Selects the text of the field that has the focus."""
        keys = ActionChains(self.driver, duration=0)
        keys.key_down(Keys.CONTROL).send_keys("a").key_up(Keys.CONTROL).perform()

    def sign_in(self, token):
        """Signs in without the dialog: the page reads the token of its tab."""
        self.run("sessionStorage.setItem('hoga.token', arguments[0])", token)
        self.driver.refresh()
        self.wait("the user's name", 'document.querySelector("#sign")?.textContent.includes("·")')

    def choose(self, **settings):
        """Sets settings of this browser, and loads the page again."""
        self.run("""for (const [name, value] of Object.entries(arguments[0])) {
            localStorage.setItem(`hoga.${name}`, value);
        }""", settings)
        self.driver.refresh()

    # Logs.

    def severe_entries(self):
        """The new errors of the console."""
        return [entry["message"] for entry in self.driver.get_log("browser")
                if entry["level"] == "SEVERE"]

    def violations(self):
        """The violations of the content security policy in the open page."""
        return self.run("return window.pageTest?.violations ?? []")

    def keep_requests(self):
        """Keeps the addresses of all requests so far."""
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                self.requests.append(message["params"]["request"]["url"])

    def picture(self, path=None):
        """Writes a picture of the screen; returns its path."""
        if path is None:
            with tempfile.NamedTemporaryFile(
                    prefix="check-page-", suffix=".png", delete=False) as file:
                path = file.name
        Path(path).write_bytes(self.driver.get_screenshot_as_png())
        return path

    def close(self):
        self.driver.quit()
