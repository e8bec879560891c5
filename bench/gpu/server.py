"""A small embedding server for one NVIDIA GPU: a reference to measure clients against.

Usage: python3 server.py --tokenizer models/all-MiniLM-L6-v2/tokenizer.json --dtype fp16 --port 8080
"""

import argparse
import asyncio
import multiprocessing
import os
import re
import signal
import socket
import sys

from protocols import Cap

# Activations that live at the same time in one layer: its input, queries to values, the inner layer twice.
ACTIVATIONS_PER_TOKEN = 384 + 3 * 384 + 2 * 1536
CONCURRENT_REQUESTS = 512
UNITS = {"": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tokenizer", required=True, help="path of a tokenizer.json of BERT's vocabulary")
    parser.add_argument("--dtype", default="fp16", choices=("fp32", "fp16", "bf16", "int8"))
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--model", default="reference-minilm")
    parser.add_argument("--fronts", type=int, default=max(1, min(10, (os.cpu_count() or 2) - 3)))
    parser.add_argument("--batch-tokens", type=int, default=131072, help="most tokens joined into one batch")
    parser.add_argument("--batch-texts", type=int, default=65536, help="most texts in one request")
    parser.add_argument("--memory-cap", help="artificial: '16384tokens' or '256MiB' for one request")
    parser.add_argument("--memory-fraction", type=float, help="real: share of the device's memory to use")
    parser.add_argument("--tf32", action="store_true", help="let fp32 products use TF32")
    return parser.parse_args()


def cap_of(text: str | None, dtype: str) -> Cap:
    """The artificial limit that `--memory-cap` asks for."""
    if text is None:
        return Cap()
    found = re.fullmatch(r"(\d+)(tokens|KiB|MiB|GiB|)", text)
    if found is None:
        raise SystemExit(f"--memory-cap: '{text}' is neither tokens nor bytes")
    if found[2] == "tokens":
        return Cap(tokens=int(found[1]))
    width = 4 if dtype == "fp32" else 2
    return Cap(bytes=int(found[1]) * UNITS[found[2]], bytes_per_token=width * ACTIVATIONS_PER_TOKEN)


def run_engine(options: argparse.Namespace, connections: list[socket.socket], ready) -> None:
    """The GPU process."""
    import torch

    from engine import Engine
    from model import Encoder

    if options.memory_fraction is not None:
        torch.cuda.set_per_process_memory_fraction(options.memory_fraction)
    torch.set_float32_matmul_precision("high" if options.tf32 else "highest")
    engine = Engine(Encoder(options.dtype), options.batch_tokens)
    engine.warm()
    ready.set()
    engine.serve(connections)


def run_front(options: argparse.Namespace, engine: socket.socket, handed: socket.socket) -> None:
    """One HTTP process."""
    from http_front import Front
    from protocols import Protocols

    cap = cap_of(options.memory_cap, options.dtype)
    facts = {
        "model_id": options.model,
        "model_dtype": options.dtype,
        "max_client_batch_size": options.batch_texts,
        "max_batch_tokens": options.batch_tokens,
        "max_concurrent_requests": CONCURRENT_REQUESTS,
    }
    protocols = Protocols(options.tokenizer, facts, cap)
    asyncio.run(Front(engine, protocols, CONCURRENT_REQUESTS).run(handed))


def main() -> None:
    options = parse_arguments()
    cap_of(options.memory_cap, options.dtype)
    # Each front cuts a request into tokens on a few threads of its own.
    os.environ.setdefault("RAYON_NUM_THREADS", "4")
    context = multiprocessing.get_context("fork")
    links = [socket.socketpair() for _ in range(options.fronts)]
    doors = [socket.socketpair() for _ in range(options.fronts)]
    ready = context.Event()
    engine = context.Process(target=run_engine, args=(options, [ours for ours, _ in links], ready), daemon=True)
    engine.start()
    for (_, theirs), (_, inner) in zip(links, doors):
        context.Process(target=run_front, args=(options, theirs, inner), daemon=True).start()
    while not ready.wait(1):
        if not engine.is_alive():
            raise SystemExit("the GPU process did not start")
    accept_for_ever(options.port, [outer for outer, _ in doors])


def accept_for_ever(port: int, doors: list[socket.socket]) -> None:
    """Hands connections to the fronts in turn, so that each carries as many as the others."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with socket.create_server(("127.0.0.1", port), backlog=512) as listener:
        print(f"listening on http://127.0.0.1:{port}", flush=True)
        turn = 0
        while True:
            connection, _ = listener.accept()
            socket.send_fds(doors[turn % len(doors)], [b"c"], [connection.fileno()])
            connection.close()
            turn += 1


if __name__ == "__main__":
    main()
