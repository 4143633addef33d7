"""The page in a real browser: what people see, do with the keyboard, and have read to them."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from claims import put
from cloud import load_cloud, read_cloud, uuid_of
from graphplace.api import create_app
from http_server import serving
from pages import Page, log_in
from selenium.webdriver import Chrome, Keys

from graphplace import loading
from graphplace.graph import schema
from graphplace.graph.database import Database
from graphplace.settings import Settings

CLOUD = """
compute1  DISK_GB:480(reserved=20)  COMPUTE_NODE  COMPUTE_VOLUME_MULTI_ATTACH  @az1
  compute1_numa0  VCPU:16(allocation_ratio=2.0,used=20)  MEMORY_MB:65536(used=40960,reserved=512)  HW_NUMA_ROOT
    compute1_nic0  SRIOV_NET_VF:8(used=3)  CUSTOM_PHYSNET_PUBLIC
  compute1_numa1  VCPU:16(allocation_ratio=2.0,used=4)  MEMORY_MB:65536(used=8192)  HW_NUMA_ROOT
    compute1_gpu0  VGPU:4(used=1)
    compute1_gpu1  VGPU:4
compute2  VCPU:8  @az1
full  VCPU:8(used=8)
storage  DISK_GB:20000(used=2500)  MISC_SHARES_VIA_AGGREGATE  @az1
"""
CANDIDATES = (
    "resources=DISK_GB:10&resources_CELL=VCPU:8,MEMORY_MB:4096&resources_GPU=VGPU:1"
    "&same_subtree=_CELL,_GPU&group_policy=none"
)
NONE = "resources_CELL=VCPU:8&resources_NIC=SRIOV_NET_VF:6&same_subtree=_CELL,_NIC&group_policy=none"
HARMFUL = "<script>alert(1)</script><img src=x onerror=alert(2)>"
CHILDREN = 1000
# Where to put screenshots for the guides, if anywhere.
SCREENSHOTS = os.environ.get("GRAPHPLACE_TEST_SCREENSHOTS")
RESHAPE = {
    "inventories": {
        uuid_of("compute2"): {"resource_provider_generation": 3, "inventories": {"VCPU": {"total": 16}}},
    },
    "allocations": {},
}


@pytest.fixture(scope="module")
def server(connected: Database) -> Iterator[str]:
    """The address of a server with a small cloud, a provider whose name is a script, and one with many children."""
    schema.wipe(connected)
    app = create_app(connected, Settings(allocation_candidates_timeout=0, explain_changes_timeout=0))
    client = app.test_client()
    client.environ_base |= {"HTTP_X_AUTH_TOKEN": "admin", "HTTP_OPENSTACK_API_VERSION": "placement latest"}
    load_cloud(client, read_cloud(CLOUD))
    assert client.post("/resource_providers", json={"name": HARMFUL, "uuid": uuid_of("harmful")}).status_code == 200
    many = [{"name": "rack", "uuid": uuid_of("rack")}]
    many += [
        {"name": f"slot{number:03}", "uuid": uuid_of(f"slot{number}"), "parent": "rack"} for number in range(CHILDREN)
    ]
    loading.load(connected, loading.read_cloud(json.dumps({"version": 1, "providers": many}).encode()))
    assert (
        put(
            client, "instance", {"compute1_numa1": {"VCPU": 4, "MEMORY_MB": 4096}, "storage": {"DISK_GB": 50}}
        ).status_code
        == 204
    )
    assert put(client, "moving", {"compute1_numa1": {"VCPU": 1}, "compute2": {"VCPU": 1}}).status_code == 204
    # Capacity that is taken away from under its consumers.
    body = {"resource_provider_generation": 2, "total": 6}
    assert client.put(f"/resource_providers/{uuid_of('full')}/inventories/VCPU", json=body).status_code == 200
    with serving(app) as port:
        yield f"http://127.0.0.1:{port}"


@pytest.fixture(scope="module")
def logged_in(browser: Chrome, server: str) -> Page:
    """The page, whose user has been asked for a token."""
    return log_in(browser, server)


@pytest.fixture
def page(logged_in: Page) -> Iterator[Page]:
    """The page; whatever a test does, nothing may be wrong on the console."""
    logged_in.complaints()
    yield logged_in
    assert logged_in.complaints() == []


VIEWS = {
    "start": "/ui/",
    "search": f"/ui/search?q={uuid_of('az1')[:8]}",
    "tree": "/ui/tree/compute1",
    "full": "/ui/tree/full",
    "rack": "/ui/tree/rack",
    "build": "/ui/candidates",
    "candidates": f"/ui/candidates?{CANDIDATES}",
    "none": f"/ui/candidates?{NONE}",
    "claims": f"/ui/claims/{uuid_of('instance')}",
    "moving": f"/ui/claims/{uuid_of('moving')}",
    "questions": "/ui/ask",
    "answer": "/ui/ask/host-tree?host=compute1",
    "reshape": f"/ui/reshape#{quote(json.dumps(RESHAPE))}",
    "audit": "/ui/audit?only=doubled&only=over_capacity&stale_days=30",
    "orphans": "/ui/orphans",
}
DRAWN = VIEWS.keys() - {"start", "search", "build", "questions", "answer", "audit", "orphans"}
# Which views the guide shows, and in which scheme.
SHOWN = {("tree", "light"), ("candidates", "dark"), ("none", "light")}


@pytest.mark.parametrize("view", VIEWS)
def test_a_view_is_for_everybody_in_light_and_dark(page: Page, view: str) -> None:
    for scheme in ("light", "dark"):
        page.scheme(scheme)
        page.open(VIEWS[view])
        if view in DRAWN:
            page.find(".canvas[data-boxes]")
        assert page.faults() == [], scheme
        if SCREENSHOTS and (view, scheme) in SHOWN:
            page.browser.save_screenshot(str(Path(SCREENSHOTS) / f"{view}.png"))
    page.scheme("light")


def test_a_tree_is_listed_and_drawn(page: Page) -> None:
    page.open("/ui/tree/compute1")

    names = page.texts("[role='treeitem'] .name")
    assert names == [
        "compute1", "compute1_numa0", "compute1_nic0", "compute1_numa1", "compute1_gpu0", "compute1_gpu1", "storage",
    ]  # fmt: skip
    assert page.find(".canvas").get_attribute("data-boxes") == str(len(names))
    numa = page.find("[aria-label^='compute1_numa0']").get_attribute("aria-label")
    assert numa == (
        "compute1_numa0. 1 child. MEMORY_MB: 40960 of 65024 used, 24064 free, 512 of 65536 reserved. "
        "VCPU: 20 of 32 used, 12 free, ratio 2"
    )
    assert page.all("[aria-label^='storage shares with this tree. DISK_GB']")
    assert page.find("#status").get_attribute("textContent") == "Tree of compute1: 6 providers."
    assert page.texts(".details .chip") == ["@" + uuid_of("az1")[:8], "COMPUTE_NODE", "COMPUTE_VOLUME_MULTI_ATTACH"]


def test_over_capacity_is_told_by_a_mark_too(page: Page) -> None:
    page.open("/ui/tree/full")

    assert page.texts(".stock.over .numbers") == ["⚠ 8 / 6"]
    assert "over capacity by 2" in page.find("[role='treeitem']").get_attribute("aria-label")
    assert page.texts(".details tr.over th") == ["⚠ VCPU"]


def test_a_tree_is_walked_with_the_keyboard(page: Page) -> None:
    page.open("/ui/tree/compute1")
    page.browser.execute_script("document.querySelector('[role=treeitem]').focus()")

    page.press(Keys.ARROW_DOWN)
    assert page.focused().startswith("compute1_numa0.")
    page.press(Keys.ARROW_LEFT)
    assert page.browser.switch_to.active_element.get_attribute("aria-expanded") == "false"
    page.press(Keys.ARROW_DOWN)
    assert page.focused().startswith("compute1_numa1.")
    page.press(Keys.ENTER)
    assert page.find(".details h2").text == "compute1_numa1"
    assert page.browser.switch_to.active_element.get_attribute("aria-selected") == "true"
    page.press(Keys.END)
    assert page.focused().startswith("storage shares with this tree.")
    page.press(Keys.HOME, Keys.ARROW_LEFT)
    page.until("return document.querySelector('.canvas').dataset.boxes === '2'")
    assert page.find("#status").get_attribute("textContent") == "2 of 7 providers shown."


def test_a_thousand_children_are_a_few_and_a_number(page: Page) -> None:
    page.open("/ui/tree/rack")

    assert page.texts("[role='treeitem'] .name") == ["rack", "slot000", "slot001", "slot002"]
    more = page.find(".more")
    assert more.text == f"+{CHILDREN - 3}"
    more.click()
    assert len(page.texts("[role='treeitem'] .name")) == 36
    page.until("return document.querySelector('.canvas').dataset.boxes === '36'")
    # A child that is asked for is among those that are shown.
    page.open(f"/ui/tree/{uuid_of('slot777')}")
    assert page.texts("[role='treeitem'] .name")[-1] == "slot777"
    assert page.find(".details h2").text == "slot777"


def test_the_same_tree_is_drawn_at_the_same_places(page: Page) -> None:
    places = """
        const done = arguments[0];
        (async () => {
          const at = new URL(".", document.querySelector("script").src);
          const { sceneOf } = await import(`${at}scene.js`);
          const { Model } = await import(`${at}model.js`);
          const { noOverlay } = await import(`${at}overlay.js`);
          const { ask } = await import(`${at}server.js`);
          const scene = await sceneOf(new Model(await ask("/ui/tree/compute1.json")).branches(), noOverlay());
          const place = ({ data, position: at }) => [data.id, at && [at.x, at.y, data.width, data.height]];
          done(scene.map(place));
        })();
    """
    page.open("/ui/tree/compute1")
    first = page.browser.execute_async_script(places)
    page.open("/ui/tree/compute1")

    assert page.browser.execute_async_script(places) == first
    boxes = {uuid: place for uuid, place in first if place}
    inner, outer = boxes[uuid_of("compute1_gpu0")], boxes[uuid_of("compute1_numa1")]
    assert all(abs(inner[axis] - outer[axis]) < (outer[axis + 2] - inner[axis + 2]) / 2 for axis in (0, 1))


def test_both_kinds_of_edges_can_be_switched_off(page: Page) -> None:
    page.open("/ui/tree/compute1")
    page.find(".canvas[data-boxes]")

    for box in page.all(".tools input"):
        assert box.is_selected()
        box.click()
    assert page.texts(".tools label") == ["child of", "shares"]
    assert not any(box.is_selected() for box in page.all(".tools input"))


def test_a_name_that_is_a_script_is_a_name(page: Page) -> None:
    for path in ("/ui/", f"/ui/tree/{uuid_of('harmful')}", f"/ui/search?q={quote(HARMFUL)}"):
        page.open(path)
        assert HARMFUL in page.find("main").text
        assert page.all("main script, main img") == []
    page.open(f"/ui/search?trait={quote(HARMFUL)}")
    assert HARMFUL in page.find("h1").text


def test_a_host_is_searched_for_and_opened(page: Page) -> None:
    page.open("/ui/")
    page.find("[role='search'] input").send_keys("pute2", Keys.ENTER)
    page.find("main[aria-busy='false'] .found a").click()

    page.find("main[aria-busy='false'] [role='tree']")
    assert page.find("h1").text == "compute2"
    page.find(".details .aggregate").click()
    page.find("main[aria-busy='false'] .found")
    assert page.texts(".found th a") == ["compute1", "compute2", "storage"]


def test_candidates_are_stepped_through(page: Page) -> None:
    page.open(f"/ui/candidates?{CANDIDATES}")

    assert page.find("#candidate").text == "1 of 4 candidates"
    first = page.texts(".given li")
    page.find(".stepper button:last-child").click()
    page.until("return document.querySelector('#candidate').textContent === '2 of 4 candidates'")
    page.until("return document.querySelector('.given').textContent.includes('gpu1')")
    assert page.texts(".given li") != first
    assert page.browser.current_url.endswith("#2")
    assert "compute1_gpu1" in page.find("[aria-label*='gives to _GPU']").get_attribute("aria-label")
    # One colour for each group.
    colours = page.browser.execute_script(
        "return [...document.querySelectorAll('.legend .mark')].map((one) => getComputedStyle(one).backgroundColor)"
    )
    assert len(set(colours)) == len(colours) == 3


def test_a_request_is_built(page: Page) -> None:
    page.open("/ui/candidates")
    page.until("return document.querySelector('#classes').options.length > 10")
    assert page.until(
        "return [...document.querySelector('#traits').options].some((one) => one.value === 'HW_NUMA_ROOT')"
    )

    page.find("[aria-label='Class 1']").send_keys("VCPU")
    page.find("[aria-label='Amount 1']").send_keys("8")
    page.find("input[list='traits']").send_keys("HW_NUMA_ROOT")
    assert page.find("#query").get_attribute("value") == "resources=VCPU:8&required=HW_NUMA_ROOT"
    page.find("form.request > button").click()

    page.find("main[aria-busy='false'] #candidate")
    assert page.find("#candidate").text == "1 of 2 candidates"
    assert page.find("[aria-label='Amount 1']").get_attribute("value") == "8"


def test_why_there_are_none_is_drawn_and_a_change_is_one_click_away(page: Page) -> None:
    page.open(f"/ui/candidates?{NONE}")

    assert page.texts("#main .legend .mark") == ["✓ _CELL fits alone", "✕ _NIC fails alone"]
    assert page.all("[aria-label*='fits _CELL alone']")
    assert "short of" in page.find("[aria-label*='does not fit _NIC']").get_attribute("aria-label")
    page.find(".changes a").click()
    page.find("main[aria-busy='false'] #candidate")
    assert "candidate" in page.find("#candidate").text


def test_what_is_wrong_with_a_request_is_said(page: Page) -> None:
    page.browser.get("about:blank")
    page.open("/ui/candidates?resources=VCPU:none")

    assert "Got: none" in page.find("[role='alert']").text
    # A browser says of each answer of 400 that there was one.
    assert all("400" in complaint for complaint in page.complaints())


def test_what_a_consumer_holds_is_laid_over_its_tree(page: Page) -> None:
    page.open(f"/ui/claims/{uuid_of('instance')}")

    assert len(page.all(".explorer")) == 1
    held = [one.get_attribute("aria-label") for one in page.all("[aria-label*='the consumer holds']")]
    assert [label.split()[0] for label in held] == ["compute1_numa1", "storage"]
    assert (
        "the consumer holds 4096 MEMORY_MB, 4 VCPU" in held[0] or "the consumer holds 4 VCPU, 4096 MEMORY_MB" in held[0]
    )


def test_a_consumer_in_two_trees_is_pointed_out(page: Page) -> None:
    page.open("/ui/claims")
    page.find("#consumer").send_keys(uuid_of("moving"), Keys.ENTER)

    page.find("main[aria-busy='false'] .explorer")
    assert page.texts("#main h2 + .explorer .name")
    assert "2 trees" in page.find(".wrong").text


def test_a_reshape_is_shown_before_and_after(page: Page) -> None:
    page.open(VIEWS["reshape"])

    numbers = [
        [one.text for one in side.find_elements("css selector", ".numbers")] for side in page.all(".beside > div")
    ]
    assert [[one for one in side if one.startswith("1 ")] for side in numbers] == [["1 / 8"], ["1 / 16"]]
    assert page.texts(".beside > div > h2") == ["compute2 before", "compute2 after"]
    page.find("#body").clear()
    page.find("#body").send_keys('{"inventories": 1}')
    page.find("form.request > button").click()
    assert page.find("[role='alert']").text
    page.complaints()


def test_a_token_that_is_refused_is_asked_for_again(browser: Chrome, server: str, page: Page) -> None:
    page.open("/ui/")
    browser.execute_script("sessionStorage.setItem('graphplace.token', 'nobody')")
    page.open("/ui/tree/compute1", ready="main[aria-busy='false'] [role='alert']")

    assert "policy refuses" in page.find("[role='alert']").text
    page.complaints()
    page.find("#forget").click()
    page.find("dialog[open] input")
    page.press(Keys.ESCAPE)
    page.find("main[aria-busy='false'] [role='alert']")
    assert "without a token" in page.find("[role='alert']").text
    assert page.all("dialog") == []
    page.find("#forget").click()
    page.find("dialog[open] input")
    page.press(Keys.ENTER)
    page.find("main[aria-busy='false'] [role='tree']")


def test_views_follow_each_other_without_loading_the_page_anew(page: Page) -> None:
    page.open("/ui/")
    page.browser.execute_script("window.kept = true")

    page.find(".found a[href$='" + uuid_of("compute1") + "']").click()
    page.find("main[aria-busy='false'] .canvas[data-boxes]")
    assert page.browser.title.startswith("compute1 ")
    assert page.browser.switch_to.active_element.tag_name == "main"
    page.find("nav a[href$='/ui/ask']").click()
    page.find("main[aria-busy='false'] .questions")
    assert page.texts("nav a[aria-current]") == ["Ask"]
    page.browser.back()
    page.find("main[aria-busy='false'] .canvas[data-boxes]")
    page.browser.back()
    page.find("main[aria-busy='false'] .found")
    assert page.browser.current_url.endswith("/ui/")
    page.find(".skip").send_keys(Keys.ENTER)
    assert page.browser.current_url.endswith("/ui/")
    assert page.browser.switch_to.active_element.tag_name == "main"
    assert page.browser.execute_script("return window.kept")


def test_what_an_audit_finds_is_shown_with_what_mends_it(page: Page) -> None:
    page.open("/ui/audit")
    for box in page.all("input[name='only']:checked"):
        if box.get_attribute("value") != "doubled":
            box.click()
    page.find(".audits button").click()

    page.find("main[aria-busy='false'] .findings")
    assert page.browser.current_url.endswith("/ui/audit?only=doubled&stale_days=30")
    assert page.texts("#main h2") == ["Consumers on more than one root: 1"]
    assert "allocation unset" in page.find(".findings pre").text
    page.find(".findings a").click()
    page.find("main[aria-busy='false'] .explorer")
    assert page.find("#consumer").get_attribute("value") == uuid_of("moving")


def test_consumers_that_no_service_knows_are_found(page: Page) -> None:
    page.open("/ui/orphans")
    page.find("#known").send_keys(uuid_of("moving"), Keys.ENTER, uuid_of("instance"))
    page.find("form.request > button").click()

    page.find(".findings")
    assert uuid_of("moving") not in page.find(".findings").text
    assert "allocation delete" in page.find(".findings pre").text


def test_a_question_is_asked(page: Page) -> None:
    page.open("/ui/ask")
    titles = page.texts(".questions a")
    assert len(titles) >= 10
    page.all(".questions a")[titles.index("The tree of a host")].click()
    page.find("main[aria-busy='false'] input[name='host']").send_keys("compute1", Keys.ENTER)

    page.find("main[aria-busy='false'] [aria-label='Answer'] table")
    assert "compute1_gpu0" in page.texts("td a")
    assert page.browser.current_url.endswith("/ui/ask/host-tree?host=compute1")
