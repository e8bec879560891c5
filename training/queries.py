"""What somebody might ask to find a chunk, made from what its author wrote: comments, headings, names, sentences."""

import random
import re

LEADING_COMMENT = re.compile(r"\A(?:[ \t]*(?:///?|#(?!include|define|if|endif|!)|/?\*\*?/?|--)[^\n]*\n)+")
DOCSTRING = re.compile(r'\A([^\n]*(?:\n[^\n]*){0,4}?:[ \t]*\n[ \t]*[rub]?)("""|\'\'\')(.*?)\2[ \t]*\n?', re.S)
#: Where the first paragraph of a documentation comment ends: tags, sections, examples.
END_OF_SUMMARY = re.compile(r"\n\s*(?:@\w+|:\w+|Args|Arguments|Parameters|Returns?|Raises|Examples?|>>>|```|\.\. |\n)")
NOT_A_SUMMARY = re.compile(
    r"licen[sc]e|copyright|eslint|istanbul|todo|fixme|pragma|noqa|generated|inherit|deprecated|@ts-|SPDX", re.I
)
VERB = re.compile(
    r"(returns?|gets?|creates?|adds?|removes?|sets?|checks?|converts?|parses?|computes?|finds?|builds?|makes?|writes?|"
    r"reads?|loads?|runs?|sends?|determines?|generates?|calculates?|updates?|formats?|opens?|closes?|starts?|stops?|"
    r"handles?|applies|validates?|registers?|resolves?|renders?|deletes?|fetch(?:es)?|waits?|splits?|merges?)\b ",
    re.I,
)
QUESTION = re.compile(r"^(how|what|why|when|where|which|who|can|does|do|is|are|should)\b", re.I)


def words_of(name: str) -> str:
    """`parseHTTPHeader` and `parse_http_header` as words."""
    parts = re.sub(r"([a-z0-9])([A-Z])|([A-Z])([A-Z][a-z])", r"\1\3 \2\4", name)
    return " ".join(re.split(r"[\W_]+", parts)).strip().lower()


def first_sentence(text: str) -> str:
    plain = " ".join(text.split())
    end = re.match(r"(.{12,200}?[.!?])(?:\s|$)", plain)
    return (end[1] if end else plain[:160]).strip()


def summary_of(comment: str) -> str:
    """The first sentence of a documentation comment, or nothing where it says nothing about the code."""
    plain = re.sub(r"^[ \t]*(?:/\*\*?!?|\*/|\*|///?!?|#+|--+)[ \t]?", "", comment, flags=re.M).replace("*/", "")
    plain = END_OF_SUMMARY.split(plain.strip())[0]
    plain = re.sub(r"\{@\w+ ([^}]*)\}|</?\w+[^>]*>|`+", r"\1", plain)
    sentence = first_sentence(plain)
    is_useful = 15 < len(sentence) < 220 and not NOT_A_SUMMARY.search(sentence) and sentence.count(" ") > 2
    return sentence if is_useful else ""


def without_comment(text: str) -> tuple[str, str]:
    """A code chunk without its documentation, and the documentation."""
    docstring = DOCSTRING.match(text)
    if docstring:
        return docstring[1].rstrip(" \trub") + text[docstring.end() :], docstring[3]
    comment = LEADING_COMMENT.match(text)
    if comment:
        return text[comment.end() :], comment[0]
    return text, ""


def as_request(sentence: str, chance: random.Random) -> str:
    """`Returns the size of X.` as `how to return the size of X`."""
    plain = (sentence[0].lower() + sentence[1:]).rstrip(".")
    verb = VERB.match(plain)
    if not verb:
        return chance.choice(["where is ", "what is ", "code for ", ""]) + plain
    base = {"applies": "apply", "fetches": "fetch"}.get(verb[1], verb[1].removesuffix("s"))
    return chance.choice(["how to ", "how do i ", "function to ", "where do we ", ""]) + base + plain[verb.end(1) :]


def code_queries(chunk: dict, chance: random.Random) -> tuple[str, list[tuple[str, str]]]:
    """The chunk's text for training and the queries that should find it."""
    body, comment = without_comment(chunk["text"])
    summary = summary_of(comment)
    symbol = chunk.get("symbol") or {}
    asked = []
    if summary and len(body.strip()) > 40:
        asked.append(("comment", summary))
        asked.append(("request", as_request(summary, chance)))
    name = words_of(symbol.get("name", ""))
    if name.count(" ") > 0 or (name and symbol.get("scope")):
        scope = words_of((symbol.get("scope") or [""])[-1])
        asked.append(("name", f"{name} {scope}".strip() if chance.random() < 0.5 else name))
    path = [words_of(part) for part in chunk["path"].rsplit(".", 1)[0].split("/")]
    if chance.random() < 0.1:
        asked.append(("file", " ".join(path[-2:])))
    text = body if summary and chance.random() < 0.7 else chunk["text"]
    return text, asked


def prose_queries(chunk: dict, chance: random.Random) -> tuple[str, list[tuple[str, str]]]:
    text, asked = chunk["text"], []
    headings = [part for part in chunk["section"].split(" > ") if part]
    if headings:
        heading = re.sub(r"[`*_]|\[([^\]]*)\]\([^)]*\)", r"\1", headings[-1]).strip(" #")
        above = headings[-2] if len(headings) > 1 else words_of(chunk["path"].rsplit("/", 1)[-1].rsplit(".", 1)[0])
        if QUESTION.match(heading):
            asked.append(("question", heading))
        elif 3 < len(heading) < 120 and not re.match(r"^[\d.\s\-v()/]+$", heading):
            asked.append(("heading", chance.choice([heading, f"{above} {heading}", f"{heading} {above}".lower()])))
    prose = re.sub(r"```.*?```", " ", text, flags=re.S)
    sentences = [
        sentence
        for sentence in re.split(r"(?<=[.!?])\s+|\n\s*(?:[-*]\s+|\n)", prose)
        if 35 < len(sentence) < 240
        and sentence.count(" ") > 5
        and sum(map(str.isalpha, sentence)) > 0.7 * len(sentence)
    ]
    if len(sentences) > 1:
        sentence = chance.choice(sentences)
        asked.append(("sentence", " ".join(sentence.split())))
        # Left in the text, the sentence would teach nothing but equality.
        if chance.random() < 0.85:
            text = text.replace(sentence, " ")
    return text, asked
