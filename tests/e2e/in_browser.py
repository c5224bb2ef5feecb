# SPDX-License-Identifier: Apache-2.0
"""Tests of a page in one browser."""

import json
import urllib.parse

from browser import Browser
from program import InFolder, run

CONTENTS = "JSON.parse(document.getElementById('contents').textContent)"


class InBrowser(InFolder):
    @classmethod
    def setUpClass(cls):
        cls.browser = Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()

    def load(self, address):
        self.browser.problems.clear()
        self.browser.open(address)

    def go(self, name, **values):
        query = urllib.parse.urlencode(values)
        self.browser.run(f"void (location.hash = {json.dumps('#/' + name + ('?' + query if query else ''))})")
        self.browser.wait("document.getElementById('main').dataset.at === location.hash && "
                          f"document.getElementById('main').dataset.page === {json.dumps(name)}")


class InPage(InBrowser):
    """Of what `report` writes."""

    def report(self, *files):
        page = self.folder / "page.html"
        status, _, err = run("report", page, *files)
        self.assertEqual(status, 0, err)
        self.load(page.as_uri())
        self.browser.wait("document.querySelector('#main h1')")
        return page
