"""The process that owns the GPU: joins waiting requests into batches and keeps the next one queued behind the last."""

import json
import queue
import socket
import threading
import time
from dataclasses import dataclass, field

import numpy as np
import torch

from channel import COUNTERS, DONE, FAILED, OUT_OF_MEMORY, Job, pack_answer, read_request
from model import TOKEN_MULTIPLE, Encoder

# One batch computes while the next is already on its way; more would only lengthen the wait of each.
BATCHES_IN_FLIGHT = 2


@dataclass
class Waiting:
    """A job and the connection that waits for its rows."""

    job: Job
    front: "Front"


@dataclass
class Front:
    """The connection to one HTTP process; answers are written whole."""

    connection: socket.socket
    writing: threading.Lock = field(default_factory=threading.Lock)

    def answer(self, number: int, status: int, payload) -> None:
        """Sends one answer; a front that has gone needs none."""
        view = memoryview(payload).cast("B")
        try:
            with self.writing:
                self.connection.sendall(pack_answer(number, status, len(view)))
                self.connection.sendall(view)
        except OSError:
            pass


class Staging:
    """Pinned host memory of one batch in flight, reused from batch to batch."""

    def __init__(self, tokens: int, texts: int, width: int):
        self.inputs = torch.empty((2, tokens), dtype=torch.int32, pin_memory=True)
        self.offsets = torch.empty(texts + 1, dtype=torch.int32, pin_memory=True)
        self.rows = torch.empty((texts, width), dtype=torch.float32, pin_memory=True)

    def holds(self, tokens: int, texts: int) -> bool:
        return tokens <= self.inputs.shape[1] and texts <= self.rows.shape[0]

    def fill(self, jobs: list[Job]) -> tuple[int, int, int]:
        """Packs the jobs; the padded number of tokens, the number of texts and the longest text."""
        lengths = np.concatenate([job.lengths for job in jobs]).astype(np.int32)
        total, texts = int(lengths.sum()), len(lengths)
        padded = -(-total // TOKEN_MULTIPLE) * TOKEN_MULTIPLE
        inputs, offsets = self.inputs.numpy(), self.offsets.numpy()
        offsets[0] = 0
        np.cumsum(lengths, out=offsets[1 : texts + 1])
        np.concatenate([job.ids for job in jobs], out=inputs[0, :total], casting="unsafe")
        inputs[1, :total] = np.arange(total, dtype=np.int32) - np.repeat(offsets[:texts], lengths)
        inputs[:, total:padded] = 0
        return padded, texts, int(lengths.max())


@dataclass
class Flight:
    """A batch on the device and what is needed to answer it."""

    waiting: list[Waiting]
    staging: Staging
    texts: int
    started: torch.cuda.Event
    computed: torch.cuda.Event
    copied: torch.cuda.Event


class Engine:
    """Runs batches; reports out-of-memory for a job that does not fit even alone."""

    def __init__(self, encoder: Encoder, batch_tokens: int):
        self.encoder = encoder
        self.batch_tokens = batch_tokens
        self.jobs: queue.Queue[Waiting] = queue.Queue()
        self.held: Waiting | None = None
        self.flights: queue.Queue[Flight] = queue.Queue()
        self.free: queue.Queue[Staging] = queue.Queue()
        self.copies = torch.cuda.Stream()
        self.counters = {"batches": 0, "texts": 0, "tokens": 0, "refused": 0, "busy_seconds": 0.0}
        self.born = time.monotonic()
        texts = batch_tokens // 4
        for _ in range(BATCHES_IN_FLIGHT):
            self.free.put(Staging(batch_tokens + TOKEN_MULTIPLE, texts, encoder.shape.hidden))

    def serve(self, connections: list[socket.socket]) -> None:
        """Answers the fronts for as long as the process lives."""
        for connection in connections:
            threading.Thread(target=self._listen, args=(Front(connection),), daemon=True).start()
        threading.Thread(target=self._finish, daemon=True).start()
        while True:
            staging = self.free.get()
            self._launch(self._gather(), staging)

    def warm(self) -> None:
        """Compiles for the sizes to come, so that no request waits for it."""
        random = np.random.default_rng(1)
        for texts in (1, 9, 200):
            lengths = random.integers(8, 250, texts).astype(np.uint32)
            ids = random.integers(1000, 30000, int(lengths.sum())).astype(np.uint16)
            staging = self.free.get()
            self._submit([Waiting(Job(0, False, lengths, ids), None)], staging).copied.synchronize()
            self.free.put(staging)

    def _listen(self, front: Front) -> None:
        try:
            while True:
                number, kind, job = read_request(front.connection)
                if kind == COUNTERS:
                    now = {**self.counters, "seconds": time.monotonic() - self.born}
                    front.answer(number, DONE, json.dumps(now).encode())
                elif job is not None:
                    self.jobs.put(Waiting(job, front))
        except (EOFError, OSError):
            return

    def _gather(self) -> list[Waiting]:
        """The longest waiting job and those behind it that fit into the same batch."""
        first = self.held or self.jobs.get()
        self.held = None
        gathered, tokens = [first], len(first.job.ids)
        while True:
            try:
                following = self.jobs.get_nowait()
            except queue.Empty:
                return gathered
            tokens += len(following.job.ids)
            if tokens > self.batch_tokens:
                self.held = following
                return gathered
            gathered.append(following)

    def _launch(self, waiting: list[Waiting], staging: Staging) -> None:
        try:
            self.flights.put(self._submit(waiting, staging))
            return
        except torch.cuda.OutOfMemoryError:
            torch.cuda.synchronize()
            torch.cuda.empty_cache()
            status, reason = OUT_OF_MEMORY, b"CUDA out of memory"
        except Exception as error:
            status, reason = FAILED, str(error).encode()
        if len(waiting) > 1:
            # Requests that were joined here did not choose their company: each has its own chance.
            for alone in waiting:
                self._launch([alone], staging)
                staging = self.free.get()
        else:
            self.counters["refused"] += 1
            waiting[0].front.answer(waiting[0].job.number, status, reason)
        self.free.put(staging)

    def _submit(self, waiting: list[Waiting], staging: Staging) -> Flight:
        jobs = [each.job for each in waiting]
        tokens, texts = sum(len(job.ids) for job in jobs), sum(len(job.lengths) for job in jobs)
        if not staging.holds(tokens + TOKEN_MULTIPLE, texts):
            staging = Staging(tokens + TOKEN_MULTIPLE, texts, self.encoder.shape.hidden)
        padded, texts, longest = staging.fill(jobs)
        started, computed = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        copied = torch.cuda.Event(blocking=True)
        inputs = staging.inputs[:, :padded].to("cuda", non_blocking=True)
        offsets = staging.offsets[: texts + 1].to("cuda", non_blocking=True)
        rows = torch.empty((texts, self.encoder.shape.hidden), dtype=torch.float32, device="cuda")
        started.record()
        self.encoder.encode(inputs[0], inputs[1], offsets, longest, rows)
        computed.record()
        with torch.cuda.stream(self.copies):
            self.copies.wait_event(computed)
            staging.rows[:texts].copy_(rows, non_blocking=True)
            rows.record_stream(self.copies)
            copied.record()
        return Flight(waiting, staging, texts, started, computed, copied)

    def _finish(self) -> None:
        """Answers the batches in the order in which they were started."""
        while True:
            flight = self.flights.get()
            flight.copied.synchronize()
            rows = flight.staging.rows[: flight.texts].numpy().copy()
            self.free.put(flight.staging)
            self.counters["busy_seconds"] += flight.started.elapsed_time(flight.computed) / 1000
            self.counters["batches"] += 1
            at = 0
            for waiting in flight.waiting:
                job = waiting.job
                part = rows[at : at + len(job.lengths)]
                at += len(job.lengths)
                self.counters["texts"] += len(job.lengths)
                self.counters["tokens"] += len(job.ids)
                waiting.front.answer(job.number, DONE, part.astype("<f2") if job.half else part)
