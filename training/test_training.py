"""Run: python3 -m unittest discover training"""

import random
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from queries import as_request, code_queries, summary_of, words_of  # noqa: E402
from sources import is_allowed, read_sources  # noqa: E402


class Licences(unittest.TestCase):
    def test_a_package_that_states_no_licence_is_not_allowed(self):
        for licence in ("", " ", "()"):
            self.assertFalse(is_allowed(licence))

    def test_one_free_choice_is_enough_and_every_part_must_be_free(self):
        self.assertTrue(is_allowed("(MIT OR GPL-3.0-or-later)"))
        self.assertTrue(is_allowed("MIT AND Apache-2.0"))
        self.assertFalse(is_allowed("MIT AND GPL-2"))

    def test_every_source_has_an_allowed_licence(self):
        self.assertEqual([source.key for source in read_sources() if not is_allowed(source.licence)], [])


class Queries(unittest.TestCase):
    def test_names_become_words(self):
        self.assertEqual(words_of("parseHTTPHeader"), "parse http header")
        self.assertEqual(words_of("read_all_lines"), "read all lines")

    def test_a_documentation_comment_gives_its_first_sentence(self):
        self.assertEqual(
            summary_of("/**\n * Returns the size of the cache. It may grow.\n * @return bytes\n */"),
            "Returns the size of the cache.",
        )

    def test_a_licence_notice_is_no_summary(self):
        self.assertEqual(summary_of("// Copyright 2020 the authors of this file and others"), "")

    def test_a_summary_becomes_a_request(self):
        self.assertIn("return the size of the cache", as_request("Returns the size of the cache.", random.Random(1)))

    def test_a_comment_is_asked_of_the_code_that_it_stands_above(self):
        chunk = {
            "text": "// Opens the file and reads every line of it.\nfunction readLines(path) { return fetch(path); }",
            "path": "src/read.js",
            "symbol": {"name": "readLines", "scope": []},
        }
        _, asked = code_queries(chunk, random.Random(1))
        self.assertIn(("comment", "Opens the file and reads every line of it."), asked)


if __name__ == "__main__":
    unittest.main()
