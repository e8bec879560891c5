"""One process that speaks HTTP/1.1: reads requests, cuts text into tokens, asks the GPU process, writes answers."""

import asyncio
import json
import socket
from concurrent.futures import ThreadPoolExecutor

from channel import ANSWER, DONE, OUT_OF_MEMORY, Job, pack_counters_request, pack_job
from protocols import Answer, Protocols, Refusal

LARGEST_BODY = 256 * 1024 * 1024
REASONS = {200: "OK", 400: "Bad Request", 404: "Not Found", 413: "Payload Too Large", 429: "Too Many Requests"}


class Front:
    """Connections of one process and the link to the GPU process."""

    def __init__(self, engine: socket.socket, protocols: Protocols, concurrent: int):
        self.engine = engine
        self.protocols = protocols
        self.concurrent = concurrent
        self.number = 0
        self.pending: dict[int, asyncio.Future] = {}
        self.threads = ThreadPoolExecutor(max_workers=2)

    async def run(self, handed: socket.socket) -> None:
        """Serves each connection that is handed over through `handed`."""
        self.loop = asyncio.get_running_loop()
        self.reader, self.writer = await asyncio.open_unix_connection(sock=self.engine, limit=16 << 20)
        self.answers = self.loop.create_task(self._read_answers())
        while True:
            connection = await self.loop.run_in_executor(None, receive_connection, handed)
            if connection is None:
                return
            connection.setblocking(False)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            reader = asyncio.StreamReader(limit=16 << 20)
            protocol = asyncio.StreamReaderProtocol(reader, self._converse)
            await self.loop.connect_accepted_socket(lambda: protocol, connection)

    async def _read_answers(self) -> None:
        while True:
            number, status, size = ANSWER.unpack(await self.reader.readexactly(ANSWER.size))
            payload = await self.reader.readexactly(size)
            waiting = self.pending.pop(number, None)
            if waiting is not None and not waiting.done():
                waiting.set_result((status, payload))

    async def _ask(self, parts_of) -> tuple[int, bytes]:
        self.number = (self.number + 1) & 0xFFFFFFFF
        answer = self.pending[self.number] = self.loop.create_future()
        self.writer.writelines(parts_of(self.number))
        return await answer

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                method, path, headers = parse_head(await reader.readuntil(b"\r\n\r\n"))
                if headers.get("expect", "").lower() == "100-continue":
                    writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
                body = await read_body(reader, headers)
                writer.writelines(rendered(await self._answer(method, path, headers, body)))
                await writer.drain()
                if headers.get("connection", "").lower() == "close":
                    break
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ConnectionError, ValueError):
            pass
        writer.close()

    async def _answer(self, method: str, path: str, headers: dict[str, str], body: bytes) -> Answer:
        try:
            if method == "GET":
                return await self._describe(path)
            if len(self.pending) >= self.concurrent:
                raise Refusal(429, "overloaded", "Model is overloaded")
            in_thread = self.loop.run_in_executor
            query = await in_thread(self.threads, self.protocols.read, path, headers, body)
            status, rows = await self._ask(
                lambda number: pack_job(Job(number, query.half, query.lengths, query.ids))
            )
            if status == OUT_OF_MEMORY:
                raise Refusal(413, "out_of_memory", rows.decode())
            if status != DONE:
                raise Refusal(500, "server_error", rows.decode(errors="replace"))
            return await in_thread(self.threads, query.write, rows)
        except Refusal as refusal:
            return refusal.answer()

    async def _describe(self, path: str) -> Answer:
        if path == "/health":
            return Answer(200, "application/json", [b"{}"])
        if path == "/info":
            return Answer(200, "application/json", [json.dumps(self.protocols.info).encode()])
        if path == "/counters":
            _, payload = await self._ask(lambda number: [pack_counters_request(number)])
            return Answer(200, "application/json", [payload])
        raise Refusal(404, "not_found", f"no such path: {path}")


def receive_connection(handed: socket.socket) -> socket.socket | None:
    """The next connection that the accepting process hands over; None when it has ended."""
    data, descriptors, _, _ = socket.recv_fds(handed, 1, 1)
    return socket.socket(fileno=descriptors[0]) if data and descriptors else None


def parse_head(head: bytes) -> tuple[str, str, dict[str, str]]:
    """Method, path without query, and headers by lower-case name; ValueError when it is no HTTP."""
    first, *lines = head.decode("latin-1").split("\r\n")
    method, target, _ = first.split(" ", 2)
    pairs = (line.split(":", 1) for line in lines if line)
    return method, target.split("?", 1)[0], {name.strip().lower(): value.strip() for name, value in pairs}


async def read_body(reader: asyncio.StreamReader, headers: dict[str, str]) -> bytes:
    """The whole body, by its stated length or in chunks."""
    if headers.get("transfer-encoding", "").lower() != "chunked":
        length = int(headers.get("content-length", "0"))
        if not 0 <= length <= LARGEST_BODY:
            raise ValueError("body too large")
        return await reader.readexactly(length) if length else b""
    parts: list[bytes] = []
    while True:
        size = int((await reader.readuntil(b"\r\n")).split(b";")[0], 16)
        if size + sum(map(len, parts)) > LARGEST_BODY:
            raise ValueError("body too large")
        parts.append((await reader.readexactly(size + 2))[:-2])
        if size == 0:
            return b"".join(parts)


def rendered(answer: Answer) -> list[bytes]:
    """The bytes of an answer on the wire."""
    size = sum(map(len, answer.body))
    lines = [
        f"HTTP/1.1 {answer.status} {REASONS.get(answer.status, 'Error')}",
        f"content-type: {answer.media_type}",
        f"content-length: {size}",
        *(f"{name}: {value}" for name, value in answer.headers.items()),
    ]
    return ["\r\n".join([*lines, "", ""]).encode("latin-1"), *answer.body]
