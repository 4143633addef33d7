"""A cloud brought into an empty server: by ``graphplace load``, and by requests, as Placement knows no other way."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from http import HTTPStatus
from resource import RUSAGE_CHILDREN, getrusage

from client import Client, Request
from clouds import Document, flat, nested, uuid_of
from server import Server
from throughput import Meter, Rate

CLIENTS = 4
CREATED = 300


@dataclass(frozen=True)
class Loading:
    """A document to load; *goal* is in providers a second."""

    name: str
    title: str
    document: Callable[[], Document]
    goal: float


LOADINGS = [
    Loading("load-flat", "load: providers of 20,000 flat hosts", lambda: next(flat(20_000, at_once=20_000)), 5000),
    Loading("load-nested", "load: providers of 2,000 nested trees", lambda: next(nested(2000, at_once=2000)), 5000),
]


def loading(case: Loading, ours: Server, theirs: Server | None) -> list[Rate]:
    """Load *case* into graphplace, create its first providers by requests to Placement, and return the rates."""
    document = case.document()
    meter = Meter(ours)
    before = command_cpu()
    meter.run(lambda: ours.load([document]))
    rate = meter.rate(len(document["providers"]))
    rates = [replace(rate, api_cpu=rate.api_cpu + (command_cpu() - before) / rate.pieces)]
    if theirs:
        meter = Meter(theirs)
        created = document | {"providers": document["providers"][:CREATED]}
        meter.run(lambda: create(theirs, created))
        rates.append(meter.rate(CREATED))
    return rates


def command_cpu() -> float:
    """Return the milliseconds of CPU of all commands that have ended: those that load do the work of an API."""
    used = getrusage(RUSAGE_CHILDREN)
    return (used.ru_utime + used.ru_stime) * 1000


def create(server: Server, document: Document) -> None:
    """Create what *document* says by requests of several clients, each of which takes every so many trees."""
    shares: list[list[Document]] = [[] for _ in range(CLIENTS)]
    for number, tree in enumerate(trees(document)):
        shares[number % CLIENTS] += tree
    names = [Request("PUT", f"/traits/{name}") for name in document["traits"]]
    names += [Request("PUT", f"/resource_classes/{name}") for name in document["resource_classes"]]
    send(server, names)
    with ThreadPoolExecutor(CLIENTS) as pool:
        list(pool.map(lambda share: send(server, (one for entry in share for one in requests(entry))), shares))


def trees(document: Document) -> Iterator[list[Document]]:
    """Yield the providers of each tree; in the document a root comes before all that is below it."""
    tree: list[Document] = []
    for provider in document["providers"]:
        if tree and "parent" not in provider:
            yield tree
            tree = []
        tree.append(provider)
    yield tree


def requests(entry: Document) -> Iterator[Request]:
    """Yield the requests that create one provider with what it has."""
    path = f"/resource_providers/{entry['uuid']}"
    parent = {"parent_provider_uuid": uuid_of(entry["parent"])} if "parent" in entry else {}
    yield Request("POST", "/resource_providers", {"name": entry["name"], "uuid": entry["uuid"]} | parent)
    generation = 0
    for part in ("inventories", "traits", "aggregates"):
        if entry.get(part):
            yield Request("PUT", f"{path}/{part}", {"resource_provider_generation": generation, part: entry[part]})
            generation += 1


def send(server: Server, wanted: Iterable[Request]) -> None:
    """Send requests one after the other. Raises ValueError for one that is refused."""
    client = Client(server.port)
    for request in wanted:
        answer = client.send(request)
        if answer.status is None or answer.status >= HTTPStatus.BAD_REQUEST:
            raise ValueError(f"{request} of {server.name}: {answer.status} {answer.body.decode()}")
    client.close()
