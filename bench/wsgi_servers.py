"""Measure WSGI servers on this API: throughput, latency, memory, shutdown, keep-alive clients, fork safety.

    GRAPHPLACE_NEO4J_URI=... .venv/bin/python bench/wsgi_servers.py [PATH ...]

Needs the servers (gunicorn, granian, waitress), psutil, and the load generator ``wrk``. Each PATH is measured;
without one, a small and a larger answer of an empty graph. Prints one row of a table for each server and number of
workers.
"""

import http.client
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil

HERE = Path(__file__).parent
BIN = Path(sys.executable).parent
PORT = 18779
THREADS = 4
CLIENTS = 8
IDLE_CLIENTS = 64
SECONDS = 10
PATHS = ("/", "/resource_classes/VCPU", "/traits")
HEADERS = {"X-Auth-Token": "admin", "OpenStack-API-Version": "placement 1.39"}


def gunicorn(workers: int) -> list[str]:
    """Return the command of gunicorn with threads; limits on the request line are the API's business."""
    return [
        "gunicorn", "wsgi_app:make()", "--worker-class=gthread", f"--threads={THREADS}", f"--workers={workers}",
        f"--bind=127.0.0.1:{PORT}", "--limit-request-line=0",
    ]  # fmt: skip


def granian(workers: int) -> list[str]:
    """Return the command of granian."""
    return [
        "granian", "wsgi_app:make", "--factory", "--interface=wsgi", f"--workers={workers}",
        f"--blocking-threads={THREADS}", f"--port={PORT}",
    ]  # fmt: skip


def waitress(workers: int) -> list[str]:
    """Return the command of waitress, which knows one process only."""
    return ["waitress-serve", "--call", f"--threads={THREADS * workers}", f"--listen=127.0.0.1:{PORT}", "wsgi_app:make"]


def main() -> None:
    """Measure every server and print the table."""
    paths = sys.argv[1:] or PATHS
    print("| server | workers |", " | ".join(f"{path}: requests/s, p50, p99" for path in paths), end="")
    print(" | PSS MB | with idle clients | SIGTERM idle | SIGTERM busy | driver |")
    for server in (gunicorn, granian, waitress):
        for workers in (1, 2):
            measure(server.__name__, server(workers), workers, paths)


def measure(name: str, command: list[str], workers: int, paths: tuple[str, ...] | list[str]) -> None:
    """Run one server and print its row."""
    process = start(command)
    cells = [name, str(workers)]
    cells += [load(path) for path in paths]
    cells.append(f"{memory(process):.0f}")
    cells.append(with_idle_clients())
    driver = get("/bench/forked")[1].decode()
    cells.append(stop_among_idle_clients(process))
    process = start(command)
    cells.append(stop_while_busy(process))
    print("|", " | ".join([*cells, driver]), "|", flush=True)


def start(command: list[str]) -> subprocess.Popen[bytes]:
    """Start the server and wait until it answers."""
    command = [str(BIN / command[0]), *command[1:]]
    process = subprocess.Popen(command, cwd=HERE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # noqa: S603  # see above
    while True:
        try:
            get("/")
        except OSError:
            time.sleep(0.1)
        else:
            return process


def get(path: str) -> tuple[int, bytes]:
    """Return status and body of one request on a connection of its own."""
    connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=10)
    try:
        connection.request("GET", path, headers=HEADERS)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def load(path: str) -> str:
    """Return requests a second, median and 99th percentile of latency, of clients that keep their connections."""
    headers = [word for name, value in HEADERS.items() for word in ("-H", f"{name}: {value}")]
    command = ["wrk", "-t1", f"-c{CLIENTS}", f"-d{SECONDS}s", "--latency", *headers, f"http://127.0.0.1:{PORT}{path}"]
    run([*command[:3], "-d2s", *command[4:]])
    text = run(command)
    rates = re.findall(r"Requests/sec: +([\d.]+)", text)
    percentiles = re.findall(r"(?:50|99)% +(\S+)", text)
    failed = re.findall(r"Non-2xx.*|Socket errors.*", text)
    return ", ".join([*rates, *percentiles, *failed])


def run(command: list[str]) -> str:
    """Run the load generator and return what it prints."""
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout  # noqa: S603  # made here


def memory(process: subprocess.Popen[bytes]) -> float:
    """Return the proportional set size of the server's processes together, in MB."""
    parent = psutil.Process(process.pid)
    return sum(one.memory_full_info().pss for one in [parent, *parent.children(recursive=True)]) / 1e6


def idle_clients() -> list[socket.socket]:
    """Return connections on which one request was answered, and which are kept open."""
    request = "GET /resource_classes/VCPU HTTP/1.1\r\nHost: localhost\r\n"
    request += "".join(f"{name}: {value}\r\n" for name, value in HEADERS.items()) + "\r\n"
    opened = []
    for _ in range(IDLE_CLIENTS):
        client = socket.create_connection(("127.0.0.1", PORT), timeout=10)
        client.sendall(request.encode())
        client.recv(65536)
        opened.append(client)
    return opened


def with_idle_clients() -> str:
    """Return how long a new client waits while many others keep their connections open and say nothing."""
    try:
        opened = idle_clients()
    except TimeoutError:
        return "the idle ones block"
    began = time.perf_counter()
    get("/resource_classes/VCPU")
    waited = time.perf_counter() - began
    for client in opened:
        client.close()
    return f"{waited * 1000:.0f} ms"


def stop_among_idle_clients(process: subprocess.Popen[bytes]) -> str:
    """Return how long the server takes to end at SIGTERM while clients keep connections open."""
    opened = idle_clients()
    took = stop(process)
    for client in opened:
        client.close()
    return took


def stop_while_busy(process: subprocess.Popen[bytes]) -> str:
    """Return what becomes of a request of one second that SIGTERM meets half way, and how long the end takes."""
    answers: list[str] = []

    def ask() -> None:
        try:
            answers.append(str(get("/bench/slow")[0]))
        except (OSError, http.client.HTTPException) as error:
            answers.append(type(error).__name__)

    client = threading.Thread(target=ask)
    client.start()
    time.sleep(0.5)
    took = stop(process)
    client.join()
    return f"{answers[0]}, {took}"


def stop(process: subprocess.Popen[bytes]) -> str:
    """Send SIGTERM, wait, and return time and exit status; leftovers are killed and told."""
    children = psutil.Process(process.pid).children(recursive=True)
    began = time.perf_counter()
    process.send_signal(signal.SIGTERM)
    try:
        status = process.wait(timeout=40)
    except subprocess.TimeoutExpired:
        process.kill()
        return "killed after 40 s"
    took = time.perf_counter() - began
    left = [child for child in children if child.is_running() and child.status() != psutil.STATUS_ZOMBIE]
    for child in left:
        os.kill(child.pid, signal.SIGKILL)
    return f"{took:.1f} s, status {status}" + (f", {len(left)} left behind" if left else "")


if __name__ == "__main__":
    main()
