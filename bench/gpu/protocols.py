"""What the server understands: OpenAI's embeddings, TEI's `/embed`, and token ids with binary rows."""

import base64
import json
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from tokenizers import Tokenizer

WIDTH = 384
VOCABULARY = 30522
LONGEST_TEXT = 512
BINARY = "application/octet-stream"


@dataclass
class Answer:
    """A status and a body."""

    status: int
    media_type: str
    body: list[bytes]
    headers: dict[str, str] = field(default_factory=dict)


class Refusal(Exception):
    """A request that is not served, in the shape of OpenAI's errors."""

    def __init__(self, status: int, code: str, message: str):
        super().__init__(message)
        self.status, self.code, self.message = status, code, message

    def answer(self) -> Answer:
        kind = "invalid_request_error" if self.status < 500 else "server_error"
        error = {"message": self.message, "type": kind, "param": None, "code": self.code}
        # TEI names its errors at the top level; clients of either read what they know.
        body = {"error": error, "error_type": self.code}
        return Answer(self.status, "application/json", [json.dumps(body).encode()])


@dataclass
class Query:
    """Token ids of a request and how its rows are to be written."""

    lengths: np.ndarray
    ids: np.ndarray
    half: bool
    write: Callable[[bytes], Answer]


@dataclass(frozen=True)
class Cap:
    """An artificial memory limit: what one request may hold in tokens, or in bytes of activations."""

    tokens: int | None = None
    bytes: int | None = None
    bytes_per_token: int = 0

    def check(self, tokens: int) -> None:
        """Refuses as a device does that has run out of memory."""
        needed = tokens * self.bytes_per_token
        if self.tokens is not None and tokens > self.tokens:
            raise Refusal(413, "out_of_memory", f"CUDA out of memory: {tokens} tokens, {self.tokens} fit")
        if self.bytes is not None and needed > self.bytes:
            message = f"CUDA out of memory. Tried to allocate {needed >> 20} MiB"
            raise Refusal(413, "out_of_memory", message)


class Protocols:
    """Reads requests of every kind into token ids."""

    def __init__(self, tokenizer_file: str, facts: dict, cap: Cap):
        self.tokenizer = Tokenizer.from_file(tokenizer_file)
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(LONGEST_TEXT)
        self.cap = cap
        self.info = {
            **facts,
            "model_type": {"embedding": {"pooling": "mean"}},
            "max_input_length": LONGEST_TEXT,
            "version": "reference",
        }

    def read(self, path: str, headers: dict[str, str], body: bytes) -> Query:
        """The query of a POST; a Refusal where it cannot be served."""
        if path == "/v1/embeddings" and headers.get("content-type", "").startswith(BINARY):
            query = self._binary(headers, body)
        elif path in ("/v1/embeddings", "/embed"):
            query = self._json(path, body)
        else:
            raise Refusal(404, "not_found", f"no such path: {path}")
        if len(query.lengths) == 0 or int(query.lengths.min()) == 0:
            raise Refusal(400, "empty", "an input is empty")
        if len(query.lengths) > self.info["max_client_batch_size"]:
            raise Refusal(413, "batch_too_large", f"{len(query.lengths)} inputs in one request")
        if int(query.lengths.max()) > LONGEST_TEXT or int(query.ids.max()) >= VOCABULARY:
            raise Refusal(400, "validation", "an input has over 512 tokens or an id outside the vocabulary")
        self.cap.check(len(query.ids))
        return query

    def _binary(self, headers: dict[str, str], body: bytes) -> Query:
        count = int.from_bytes(body[:4], "little")
        if len(body) < 4 + 4 * count:
            raise Refusal(400, "validation", "the body is shorter than its lengths")
        lengths = np.frombuffer(body, dtype="<u4", count=count, offset=4)
        total = int(lengths.sum(dtype=np.uint64))
        if len(body) != 4 + 4 * count + 2 * total:
            raise Refusal(400, "validation", "the body does not hold the tokens that its lengths state")
        ids = np.frombuffer(body, dtype="<u2", count=total, offset=4 + 4 * count)
        half = headers.get("x-embedding-dtype", "float32").lower() == "float16"
        media_type = f"{BINARY}; dtype=float16" if half else BINARY
        dimensions = {"x-embedding-dimensions": str(WIDTH)}
        return Query(lengths, ids, half, lambda rows: Answer(200, media_type, [rows], dimensions))

    def _json(self, path: str, body: bytes) -> Query:
        try:
            request = json.loads(body)
            given = request["inputs" if path == "/embed" else "input"]
        except (ValueError, KeyError, TypeError):
            raise Refusal(400, "validation", "the body is not JSON with an input") from None
        inputs = given if isinstance(given, list) else [given]
        if inputs and isinstance(inputs[0], int):
            inputs = [inputs]
        ids = self._token_ids(inputs)
        lengths = np.fromiter(map(len, ids), dtype=np.uint32, count=len(ids))
        packed = np.fromiter((one for text in ids for one in text), dtype=np.uint16, count=int(lengths.sum()))
        if path == "/embed":
            write = write_arrays
        else:
            form = request.get("encoding_format", "float")
            write = lambda rows: write_openai(rows, form, self.info["model_id"], len(packed))
        return Query(lengths, packed, False, write)

    def _token_ids(self, inputs: list) -> list[list[int]]:
        if all(isinstance(text, str) for text in inputs):
            return [found.ids for found in self.tokenizer.encode_batch_fast(inputs)]
        if all(isinstance(text, list) for text in inputs):
            if all(isinstance(one, int) and 0 <= one < 65536 for text in inputs for one in text):
                return inputs
        raise Refusal(400, "validation", "inputs are texts or lists of token ids")


def write_openai(rows: bytes, form: str, model: str, tokens: int) -> Answer:
    """Rows as OpenAI answers them, in base64 or as numbers."""
    size = 4 * WIDTH
    if form == "base64":
        texts = (
            b'"' + base64.b64encode(rows[at : at + size]) + b'"' for at in range(0, len(rows), size)
        )
    else:
        texts = (json.dumps(row).encode() for row in np.frombuffer(rows, "<f4").reshape(-1, WIDTH).tolist())
    data = b",".join(
        b'{"object":"embedding","index":%d,"embedding":%b}' % (index, text) for index, text in enumerate(texts)
    )
    name = json.dumps(model).encode()
    tail = b'],"model":%b,"usage":{"prompt_tokens":%d,"total_tokens":%d}}' % (name, tokens, tokens)
    return Answer(200, "application/json", [b'{"object":"list","data":[', data, tail])


def write_arrays(rows: bytes) -> Answer:
    """Rows as TEI answers them: an array of arrays."""
    numbers = np.frombuffer(rows, "<f4").reshape(-1, WIDTH).tolist()
    return Answer(200, "application/json", [json.dumps(numbers).encode()])
