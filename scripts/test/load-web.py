#!/usr/bin/env python3
"""Load test of the web server: honest clients at several loopback addresses, and hostile ones at others.

Starts `morello serve` on a free port of this machine, opens no connection to any other, and ends after --seconds.
Honest clients load the page, ask for engine moves at a low level, and begin an analysis. Hostile ones send, as fast
as they can: large and malformed bodies, compressed files that unpack to gigabytes or to long responses that nobody
reads, analyses, reviews and exercises that nobody waits for, searches for moves, silent connections and slow headers.

Prints a table as JSON, and fails if a target is missed: a quick move in 100 ms at the median and 500 ms at the 99th
percentile, a first line of an analysis in 1 s at the 99th percentile, 256 MiB of memory at most, no more than 64 MiB
that are not returned.

  scripts/test/load-web.py --program target/release/morello
  scripts/test/load-web.py --clients 200 --seconds 20
"""

import argparse
import asyncio
import json
import lzma
import random
import resource
import subprocess
import sys
import time
import zlib

MOVE = json.dumps({"game": "othello", "moves": ["f5", "d6", "c3"], "level": 5}).encode()
ANALYSIS = json.dumps({"game": "othello", "moves": ["f5", "d6"], "time_ms": 10000}).encode()
WIDE = json.dumps({"game": "othello", "text": "moves" + ",a" * 30000}).encode()
QUOTES = json.dumps({"game": "othello", "text": "a,moves\n" + 'x","y\n' * 8000}).encode()
LONG_MOVE = json.dumps({"game": "lasker-morris", "level": 60}).encode()
# Each game has tables of its own.
GAMES = (
    "othello", "othello-6x6", "nine-mens-morris", "nine-mens-morris-flying", "lasker-morris", "morabaraba", "six-mens-morris",
    "seven-mens-morris", "twelve-mens-morris",
)
LEVELS = ("casual", "novice", 1, 3, 7)
NESTED = b"[" * 60000
REVIEW = json.dumps({"game": "morabaraba", "moves": ["d2"], "level": 60}).encode()
EXERCISE = json.dumps({"game": "othello", "empties": 14, "difficulty": "hard", "theme": "swindle"}).encode()


def gzip(text: bytes) -> bytes:
    """Compresses a file."""
    compressor = zlib.compressobj(9, zlib.DEFLATED, 31)
    return compressor.compress(text) + compressor.flush()


def zstd_of(byte: bytes, blocks: int) -> bytes:
    """Returns a zstd file of blocks of 128 KiB that repeat a byte."""
    size = 1 << 17
    frames = [(size << 3 | 1 << 1 | (number == blocks - 1)).to_bytes(3, "little") + byte for number in range(blocks)]
    return b"\x28\xb5\x2f\xfd\x00\x38" + b"".join(frames)


# Files: names that grow sixfold as JSON, blank lines and bad lines without end, a record without end, much memory, a plain one.
FILES = [
    ("/api/open/othello/0", gzip(b"moves,black\n" + (b'f5,"' + b"\x01" * 65_000 + b'"\n') * 500)),
    ("/api/open/othello/0", gzip(b"moves\n" + (b"f5d6" + b"c3d3c4" * 300 + b"\n") * 500)),
    ("/api/open/othello/0", zstd_of(b"\n", 16_000)),
    ("/api/open/nine-mens-morris/0", zstd_of(b"x", 16_000)),
    ("/api/open/othello/0", gzip(b"x\n" * (24 << 20))),
    ("/api/open/othello/0", lzma.compress(b"\n" * (64 << 20), preset=9)),
    ("/api/open/othello/1000000", b"x\n" * (6 << 20)),
]


def head(path: str, body: bytes, host: str) -> bytes:
    """Returns a request."""
    kind = "octet-stream" if path.startswith("/api/open") else "json"
    lines = (
        f"POST {path} HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/{kind}\r\n"
        f"content-length: {len(body)}\r\n\r\n"
    )
    return lines.encode() + body


class Client:
    """A connection from an address, opened again when the server closes it."""

    def __init__(self, port: int, address: str):
        self.port, self.address, self.streams = port, address, None

    async def open(self):
        """Connects, unless a connection is open."""
        if self.streams is None:
            connect = asyncio.open_connection("127.0.0.1", self.port, local_addr=(self.address, 0), limit=1 << 20)
            self.streams = await asyncio.wait_for(connect, 30)
        return self.streams

    def close(self):
        """Closes the connection."""
        if self.streams is not None:
            self.streams[1].transport.abort()
            self.streams = None

    async def post(self, path: str, body: bytes, lines: int | None = None) -> bytes:
        """Sends a request and returns the body of the response, or its first lines."""
        is_used = self.streams is not None
        try:
            reader, writer = await self.open()
            writer.write(head(path, body, "127.0.0.1"))
            await writer.drain()
            answer = await reader.readuntil(b"\r\n\r\n")
        except (ConnectionResetError, asyncio.IncompleteReadError):
            self.close()
            if not is_used:
                raise
            # The server has closed the idle connection meanwhile. Browsers then open another one as well.
            return await self.post(path, body, lines)
        status = int(answer.split(b" ", 2)[1])
        text = b""
        if b"transfer-encoding: chunked" in answer.lower():
            while True:
                size = int(await reader.readline(), 16)
                text += (await reader.readexactly(size + 2))[:-2]
                if size == 0:
                    break
                if lines is not None and text.count(b"\n") >= lines:
                    self.close()
                    break
        else:
            length = next(line for line in answer.lower().split(b"\r\n") if line.startswith(b"content-length:"))
            text = await reader.readexactly(int(length.split(b":")[1]))
        if status != 200:
            raise ConnectionError(f"{status} {text[:100]!r}")
        return text


async def honest(port: int, address: str, until: float, pause: float, times: dict):
    """Asks for moves and begins analyses, as a player does."""
    client = Client(port, address)
    await asyncio.sleep(random.random() * pause)
    while time.monotonic() < until:
        kind = "analysis" if random.random() < 0.2 else "move"
        start = time.monotonic()
        try:
            if kind == "move":
                answer = await asyncio.wait_for(client.post("/api/choose", MOVE), 30)
                good = b'"done"' in answer
            else:
                answer = await asyncio.wait_for(client.post("/api/analyze", ANALYSIS, 1), 30)
                good = b'"thought"' in answer or b'"waiting"' in answer
            times[kind if good else "refused"].append(time.monotonic() - start)
        except (OSError, EOFError, ValueError, StopIteration, asyncio.IncompleteReadError, asyncio.TimeoutError):
            times["refused"].append(time.monotonic() - start)
            client.close()
        await asyncio.sleep(pause * (0.5 + random.random()))
    client.close()


def of_some_game(**limits) -> bytes:
    return json.dumps({"game": random.choice(GAMES), **limits}).encode()


async def hostile(port: int, address: str, until: float, counts: dict):
    """Sends what costs the server most, as fast as it can."""
    client = Client(port, address)
    while time.monotonic() < until:
        what = random.randrange(14)
        try:
            if what < 2:
                await asyncio.wait_for(client.post("/api/load", (WIDE, QUOTES)[what]), 10)
            elif what == 2:
                await asyncio.wait_for(client.post("/api/view", NESTED), 10)
            elif what == 3:
                await asyncio.wait_for(client.post("/api/choose", of_some_game(level=60), 1), 10)
            elif what == 4:
                await asyncio.wait_for(client.post("/api/analyze", of_some_game(time_ms=10000), 1), 10)
            elif what == 5:
                await asyncio.wait_for(client.post("/api/choose", of_some_game(level=random.choice(LEVELS))), 10)
            elif what == 8:
                await asyncio.wait_for(client.post("/api/review", REVIEW, 1), 10)
            elif what == 9:
                await asyncio.wait_for(client.post("/api/exercise", EXERCISE), random.choice((0.1, 10)))
            elif what >= 10:
                # Some leave at once, and others do not read the response.
                _, writer = await client.open()
                writer.write(head(*random.choice(FILES), "127.0.0.1"))
                await asyncio.wait_for(writer.drain(), 10)
                await asyncio.sleep(random.choice((0, 5)))
                client.close()
            else:
                _, writer = await client.open()
                writer.write(
                    b"POST /api/view HTTP/1.1\r\nhost: 127.0.0.1\r\n"
                    + (b"content-length: 9\r\n\r\n" if what == 6 else b"")
                )
                await asyncio.sleep(2)
                client.close()
        except (OSError, EOFError, ValueError, StopIteration, asyncio.IncompleteReadError, asyncio.TimeoutError):
            client.close()
            await asyncio.sleep(0.05)
        counts["requests"] += 1
    client.close()


def memory(process: int) -> float:
    """Returns the resident memory of a process in MiB."""
    with open(f"/proc/{process}/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS:")) / 1024


def quantile(values: list, share: float) -> float | None:
    """Returns a quantile in milliseconds."""
    values = sorted(values)
    return round(1000 * values[min(len(values) - 1, int(share * len(values)))], 1) if values else None


async def run(options, port: int, process: int) -> dict:
    """Runs all clients and returns the measurements."""
    times = {"move": [], "analysis": [], "refused": []}
    counts = {"requests": 0}
    # The tables of a game are allocated by its first searches, as many as run at a time.
    warm = [("/api/choose", MOVE, None), ("/api/analyze", ANALYSIS, 3), ("/api/choose", LONG_MOVE, 3)]
    for request in [one for one in warm for _ in range(2)]:
        clients = [Client(port, f"127.0.0.{number}") for number in range(1, 9)]
        await asyncio.gather(*(client.post(*request) for client in clients))
        for client in clients:
            client.close()
    await asyncio.sleep(3)
    before = memory(process)
    until = time.monotonic() + options.seconds
    addresses = [f"127.0.0.{number}" for number in range(1, options.addresses + 1)]
    bad = addresses[-options.hostile_addresses :]
    good = addresses[: -options.hostile_addresses]
    tasks = [honest(port, good[n % len(good)], until, options.pause, times) for n in range(options.clients)]
    tasks += [hostile(port, bad[n % len(bad)], until, counts) for n in range(options.hostile)]
    most = 0.0
    work = asyncio.gather(*tasks)
    while not work.done():
        await asyncio.wait([work], timeout=1)
        most = max(most, memory(process))
    await work
    # The server returns freed memory every few seconds.
    await asyncio.sleep(12)
    return {
        "clients": options.clients,
        "addresses": options.addresses,
        "hostile_requests": counts["requests"],
        "moves": len(times["move"]),
        "move_ms_median": quantile(times["move"], 0.5),
        "move_ms_p99": quantile(times["move"], 0.99),
        "analyses": len(times["analysis"]),
        "analysis_ms_median": quantile(times["analysis"], 0.5),
        "analysis_ms_p99": quantile(times["analysis"], 0.99),
        "refused": len(times["refused"]),
        "memory_mib_before": round(before, 1),
        "memory_mib_most": round(most, 1),
        "memory_mib_after": round(memory(process), 1),
    }


def main() -> int:
    """Runs the test."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="target/release/morello", help="the program to test")
    parser.add_argument("--clients", type=int, default=1000, help="honest clients")
    parser.add_argument("--hostile", type=int, default=250, help="connections of the hostile addresses")
    parser.add_argument("--addresses", type=int, default=11, help="loopback addresses, the last of which are hostile")
    parser.add_argument("--hostile-addresses", type=int, default=4, help="the number of hostile ones")
    parser.add_argument("--seconds", type=float, default=30, help="duration")
    parser.add_argument(
        "--pause", type=float, default=20, help="mean time between two requests of an honest client, in seconds"
    )
    options = parser.parse_args()
    needed = options.clients + options.hostile + 100
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, needed)), hard))
    server = subprocess.Popen(
        [options.program, "serve", "--port", "0", "--no-database"], stdout=subprocess.PIPE, text=True
    )
    try:
        port = int(server.stdout.readline().rstrip("/\n").rsplit(":", 1)[1])
        result = asyncio.run(run(options, port, server.pid))
    finally:
        server.terminate()
        server.wait(20)
    print(json.dumps(result, indent=2))
    limits = [("move_ms_median", 100), ("move_ms_p99", 500), ("analysis_ms_p99", 1000), ("memory_mib_most", 256)]
    missed = [
        f"{name} is {result[name]}: the target is {limit}" for name, limit in limits if (result[name] or 0) > limit
    ]
    if result["memory_mib_after"] > result["memory_mib_before"] + 64:
        missed.append("the memory is not returned")
    if result["refused"] > 0.01 * (result["moves"] + result["analyses"]):
        missed.append(f"{result['refused']} requests of honest clients were refused")
    print("\n".join(missed) or "all targets are met", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
