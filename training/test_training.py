"""Run: python3 -m unittest discover training"""

import io
import json
import random
import sqlite3
import sys
import tarfile
import tempfile
import unittest
from contextlib import closing
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from pin_sources import r_licence  # noqa: E402
from prose import data_texts, database_texts, gloss_of  # noqa: E402
from queries import as_request, code_queries, summary_of, words_of  # noqa: E402
from sources import is_allowed, read_sources  # noqa: E402


def archive_of(path: str, text: str) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as files:
        entry = tarfile.TarInfo(path)
        entry.size = len(text)
        files.addfile(entry, io.BytesIO(text.encode()))
    return buffer.getvalue()


class Licences(unittest.TestCase):
    def test_a_package_that_states_no_licence_is_not_allowed(self):
        for licence in ("", " ", "()"):
            self.assertFalse(is_allowed(licence))

    def test_one_free_choice_is_enough_and_every_part_must_be_free(self):
        self.assertTrue(is_allowed("(MIT OR GPL-3.0-or-later)"))
        self.assertTrue(is_allowed("MIT AND Apache-2.0"))
        self.assertFalse(is_allowed("MIT AND GPL-2"))

    def test_an_r_package_states_its_own_licence(self):
        for stated, read in (("MIT + file LICENSE", "MIT"), ("Artistic-2.0", "Artistic-2.0"), ("GPL (>= 2)", "GPL (>= 2)")):
            self.assertEqual(r_licence(archive_of("pkg/DESCRIPTION", f"Package: pkg\nLicense: {stated}\n")), read)
        self.assertEqual(r_licence(archive_of("pkg/README", "License: MIT\n")), "")

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


class Prose(unittest.TestCase):
    def test_a_line_of_wordnet_becomes_its_words_and_their_meaning(self):
        line = "02958343 06 n 02 car 0 motor_car 0 001 @ 03791235 n 0000 | a motor vehicle with four wheels  "
        self.assertEqual(gloss_of(line), "car, motor car: a motor vehicle with four wheels")

    def test_data_gives_its_long_strings_below_their_names(self):
        past = "Long ago the country was ruled by many small and quarrelsome kings."
        text = json.dumps({"Background": {"text": past}, "area": "12 sq km"})
        self.assertEqual(
            list(data_texts("europe/xx.json", text)),
            [("europe/xx-0.txt", f"Background\n\n{past}")],
        )


    def test_a_database_gives_terms_with_their_definitions(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "GO.sqlite"
            with closing(sqlite3.connect(file)) as database:
                database.execute("CREATE TABLE go_term (_id INTEGER, term TEXT, definition TEXT)")
                rows = [(1, "autophagy", "Digestion of own parts."), (2, "unknown", None)]
                database.executemany("INSERT INTO go_term VALUES (?, ?, ?)", rows)
                database.commit()
            content = file.read_bytes()
        found = list(database_texts("inst/GO.sqlite", content))
        self.assertEqual(found, [("inst/GO-0.txt", "autophagy: Digestion of own parts.")])


class Copies(unittest.TestCase):
    def setUp(self):
        try:
            import torch
            from copying import order_error
            from corpus import DEVICE, END, START, Corpus, Texts, pack_corpus, unpack_corpus
            from lessons import Lessons
        except ModuleNotFoundError as missing:
            self.skipTest(str(missing))
        self.order_error, self.start, self.end, self.torch = order_error, START, END, torch
        rows = [[START, *range(at, at + 300), END] for at in (2000, 3000, 4000)]
        held_out = torch.tensor([False, True, False], device=DEVICE)
        queries = Texts([[START, 5000 + at, 5001, 5002, 5003, END] for at in range(3)])
        places = torch.arange(3, device=DEVICE)
        corpus = Corpus(Texts(rows), queries, places, ["asked"] * 3, held_out, held_out, held_out & False, places)
        self.corpus = unpack_corpus(pack_corpus(corpus))
        self.lessons = Lessons.of(self.corpus)

    def test_corpora_that_are_joined_keep_their_pairs_and_tell_their_sources_apart(self):
        from corpus import joined

        both = joined([self.corpus, self.corpus])
        self.assertEqual(both.passage_of.tolist(), [0, 1, 2, 3, 4, 5])
        self.assertEqual(len(set(both.source_of.tolist())), 6)
        at = both.passages.starts[4]
        self.assertEqual(int(both.passages.flat[at + 1]), 3000)
        self.assertEqual(both.passage_is_held_out.tolist(), [False, True, False] * 2)

    def test_a_corpus_that_was_packed_is_the_same(self):
        self.assertEqual(self.corpus.kinds, ["asked"] * 3)
        self.assertEqual(self.corpus.passages.batch(self.torch.tensor([1]))[0, 1].item(), 3000)

    def test_held_out_passages_are_no_lessons(self):
        self.assertEqual(len(self.lessons), 2)
        self.assertFalse(((self.lessons.stream >= 3000) & (self.lessons.stream < 4000)).any())

    def test_every_lesson_has_its_marks_and_short_ones_end_before_their_padding(self):
        windows, shorts = self.lessons.draw()
        for ids in windows:
            self.assertTrue((ids[:, 0] == self.start).all() and (ids != 0).all())
        self.assertTrue((shorts[:, 0] == self.start).all())
        last = (shorts != 0).sum(1) - 1
        self.assertTrue((shorts.gather(1, last[:, None]) == self.end).all())

    def test_another_order_is_an_error_though_every_text_is_nearest_to_itself(self):
        own = self.torch.nn.functional.normalize(self.torch.tensor([[1.0, 0.2], [1.0, 0.0], [0.0, 1.0]]), dim=-1)
        self.assertAlmostEqual(self.order_error(own, own).item(), 0, places=5)
        self.assertGreater(self.order_error(own, own[[0, 2, 1]]).item(), 0.5)


    def test_neighbours_stay_together_and_the_first_passages_have_the_short_texts(self):
        windows, shorts = self.lessons.draw(1 / 3)
        self.assertEqual(len(shorts), len(windows[0]))
        self.assertEqual(sum(map(len, windows)), 3 * len(shorts))

    def test_rare_words_of_a_question_lead_to_the_passage_that_has_them(self):
        from reader_stretch import trimmed, word_overlap

        corpus = self.corpus
        at = corpus.queries.starts[1] + 1
        corpus.queries.flat[at : at + 4] = self.torch.tensor([2001, 2002, 3001, 4001])
        found = word_overlap(corpus, self.torch.tensor([1]), self.torch.arange(3))
        self.assertEqual(found.argmax().item(), 0)
        self.assertEqual(found[0, 1].item(), found[0, 2].item())
        ids = self.torch.tensor([[1, 2, 0, 0, 0, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0, 0, 0, 0]])
        self.assertEqual(trimmed(ids).shape[1], 8)

    def test_pieces_that_lie_as_the_teacher_has_them_give_its_order(self):
        from copying import direction_error, late_error

        chance = self.torch.Generator().manual_seed(0)
        rows = self.torch.randn(4, 6, 384, generator=chance)
        ids = self.torch.tensor([[self.start, 3000, 3001, 3002, 3003, self.end]] * 4)
        same = late_error(rows, ids, rows, rows, ids)
        other = late_error(rows, ids, rows[[1, 0, 3, 2]], rows, ids)
        self.assertLess(same.item(), 0.1)
        self.assertGreater(other.item(), 10 * same.item())
        self.assertAlmostEqual(direction_error(2 * rows, rows, None).item(), 0, places=5)

    def test_signs_are_learned_through(self):
        from copying import signs

        states = self.torch.tensor([[0.5, -2.0]], requires_grad=True)
        made = signs(states)
        self.assertTrue(self.torch.allclose(made, self.torch.tensor([[1.0, -1.0]]) / 2**0.5))
        made[0, 0].backward()
        self.assertNotEqual(states.grad[0, 0].item(), 0)


class Judging(unittest.TestCase):
    def setUp(self):
        try:
            import judging_stretch  # noqa: F401
        except ModuleNotFoundError as missing:
            self.skipTest(str(missing))

    def test_a_list_that_is_drawn_has_all_answers_and_no_place_that_is_empty(self):
        import torch
        from judging_stretch import Lists

        labels = torch.zeros(1, 40)
        labels[0, [3, 35]] = 1
        rows = torch.arange(40)[None].clone()
        rows[0, 38:] = -1
        texts = torch.ones(40, 8, dtype=torch.short)
        lists = Lists(torch.ones(1, 8, dtype=torch.short), texts, rows, labels, torch.zeros(1, 40), torch.zeros(1, 40))
        for _ in range(20):
            _, passages, taken, right, _, _ = lists.draw(1, 20)
            self.assertEqual(passages.shape[:2], (1, 20))
            self.assertEqual(set(taken[right > 0].tolist()), {3, 35})
            self.assertTrue((taken >= 0).all())

    def test_half_of_the_way_lies_between_both_ends(self):
        import torch
        from encoder import Encoder, to_weights
        from judging_stretch import mean_of
        from weights import pack

        with tempfile.TemporaryDirectory() as folder:
            ends = {name: Encoder(1) for name in ("minilm", "one")}
            for name, model in ends.items():
                (Path(folder) / f"{name}.npz.xz").write_bytes(pack(to_weights(model), fine=True))
            found = mean_of(Path(folder), {"minilm": 0.5, "one": 0.5}).layers[0].mixed.weight.cpu()
            wanted = sum(model.layers[0].mixed.weight for model in ends.values()) / 2
            self.assertTrue(torch.allclose(found, wanted, atol=1e-3))


class Rounding(unittest.TestCase):
    def setUp(self):
        try:
            import torch
            from encoder import Encoder
        except ModuleNotFoundError as missing:
            self.skipTest(str(missing))
        torch.manual_seed(0)
        self.ids = torch.randint(1000, 2000, (4, 12))
        self.model = Encoder(2, inner=64, rectified=True).eval()
        for layer in self.model.layers:
            # A few channels that are far larger than the others, as trained encoders have them.
            layer.mixed_norm.weight.data[:3] *= 40
            layer.narrow_norm.weight.data[:3] *= 40

    def errors(self) -> tuple[float, float]:
        from smoothing import smooth

        found = smooth(self.model, [self.ids])
        return found["before"], found["after"]

    def test_smoothing_takes_most_of_the_error_and_changes_nothing_where_nothing_is_rounded(self):
        import torch

        with torch.no_grad():
            plain = self.model(self.ids)
            before, after = self.errors()
            self.assertLess(after, before / 2)
            self.assertTrue(torch.equal(self.model(self.ids), plain))
            self.assertGreater(self.model.layers[1].wide.smoothing.max(), 2)

    def test_an_encoder_keeps_its_smoothing_and_its_inner_units_where_it_travels(self):
        import torch
        from encoder import from_weights, to_weights
        from weights import pack, unpack

        self.errors()
        other = from_weights(unpack(pack(to_weights(self.model), fine=True)), [0, 1])
        self.assertTrue(other.rectified)
        for own, found in zip(self.model.layers, other.layers):
            self.assertTrue(torch.equal(own.wide.smoothing, found.wide.smoothing))

    def test_exported_weights_with_the_factors_that_are_left_make_the_same_vectors(self):
        import torch
        from encoder import from_weights, to_weights

        try:
            from export_encoder import smoothed
        except ModuleNotFoundError as missing:
            self.skipTest(str(missing))
        self.errors()
        weights, left = smoothed(to_weights(self.model))
        other = from_weights(weights, [0, 1]).eval()
        for number, layer in enumerate(other.layers):
            for part, name in ((layer.heads, "attention.self.query"), (layer.wide, "intermediate.dense")):
                factor = torch.from_numpy(left[f"encoder.layer.{number}.{name}"])
                part.register_forward_pre_hook(lambda _, given, factor=factor: (given[0] * factor,))
        with torch.no_grad():
            self.assertTrue(torch.allclose(other(self.ids), self.model(self.ids), atol=1e-5))


class Orders(unittest.TestCase):
    def setUp(self):
        try:
            from judge_data import Asked, Parts, mixed_order, ndcg
        except ModuleNotFoundError as missing:
            self.skipTest(str(missing))
        self.ndcg, self.mixed_order = ndcg, mixed_order
        found = ["a", "b", "a"], [[], [0], [1]], [0.9, 0.5, 0.1]
        plain = [Parts(score, 0, 1, file) for score, file in zip(found[2], found[0])]
        self.asked = Asked("set", [], [1, 1], [1, 2, 3], *found, plain)
        ruled = [Parts(0.9, 0, 1, "a"), Parts(0.8, 0.2, 1, "b"), Parts(0.7, 0, 0.3, "c")]
        self.ruled = Asked("set", [], [1, 1], [1, 2, 3], *found, ruled)

    def test_a_judge_that_says_nothing_new_changes_nothing(self):
        self.assertEqual(self.mixed_order(self.asked, [0.9, 0.5, 0.1], 0.5), [0, 1, 2])
        self.assertEqual(self.mixed_order(self.asked, [0.0, 1.0, 0.0], 1.0), [1, 0, 2])

    def test_what_the_rules_say_counts_after_the_judge(self):
        self.assertEqual(self.mixed_order(self.ruled, [0.0, 0.5, 1.0], 0.0), [1, 0, 2])
        self.assertEqual(self.mixed_order(self.ruled, [1.0, 0.9, 0.0], 1.0), [1, 0, 2])
        self.assertEqual(self.mixed_order(self.ruled, [0.9, 0.0, 1.0], 1.0), [0, 1, 2])

    def test_the_right_ones_first_are_perfect(self):
        self.assertAlmostEqual(self.ndcg(self.asked, [1, 2, 0]), 1)
        self.assertLess(self.ndcg(self.asked, [0, 1, 2]), 1)


if __name__ == "__main__":
    unittest.main()
