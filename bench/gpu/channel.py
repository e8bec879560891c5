"""Messages between the processes that speak HTTP and the one that owns the GPU."""

import socket
import struct
from dataclasses import dataclass

import numpy as np

# What is asked.
EMBED, COUNTERS = 0, 1
# What is answered.
DONE, OUT_OF_MEMORY, FAILED = 0, 1, 2

REQUEST = struct.Struct("<IBBHII")
ANSWER = struct.Struct("<IB3xI")


@dataclass
class Job:
    """Texts of one request as token ids, special tokens included."""

    number: int
    half: bool
    lengths: np.ndarray
    ids: np.ndarray


def pack_job(job: Job) -> list[bytes]:
    """The bytes of a request for vectors."""
    head = REQUEST.pack(job.number, EMBED, int(job.half), 0, len(job.lengths), len(job.ids))
    return [head, job.lengths.astype("<u4").tobytes(), job.ids.astype("<u2").tobytes()]


def pack_counters_request(number: int) -> bytes:
    """The bytes of a request for the counters."""
    return REQUEST.pack(number, COUNTERS, 0, 0, 0, 0)


def read_exactly(connection: socket.socket, count: int) -> bytearray:
    """Reads `count` bytes, or raises EOFError when the other side is gone."""
    data = bytearray(count)
    view = memoryview(data)
    while len(view) > 0:
        read = connection.recv_into(view)
        if read == 0:
            raise EOFError
        view = view[read:]
    return data


def read_request(connection: socket.socket) -> tuple[int, int, Job | None]:
    """The next request: its number, its kind, and its job when it asks for vectors."""
    number, kind, half, _, texts, tokens = REQUEST.unpack(read_exactly(connection, REQUEST.size))
    if kind == COUNTERS:
        return number, kind, None
    lengths = np.frombuffer(read_exactly(connection, 4 * texts), dtype="<u4")
    ids = np.frombuffer(read_exactly(connection, 2 * tokens), dtype="<u2")
    return number, kind, Job(number, bool(half), lengths, ids)


def pack_answer(number: int, status: int, size: int) -> bytes:
    """The head of an answer whose payload follows."""
    return ANSWER.pack(number, status, size)
