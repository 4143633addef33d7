"""Resource classes over HTTP."""

from flask.testing import FlaskClient


def test_standard_classes_are_there_from_the_start(client: FlaskClient) -> None:
    answer = client.get("/resource_classes")

    assert answer.status_code == 200
    assert {"name": "VCPU", "links": [{"rel": "self", "href": "/resource_classes/VCPU"}]} in answer.json[
        "resource_classes"
    ]
    assert answer.headers["cache-control"] == "no-cache"
    assert "last-modified" in answer.headers


def test_a_custom_class_lives_and_dies(client: FlaskClient) -> None:
    created = client.post("/resource_classes", json={"name": "CUSTOM_GOLD"})
    assert created.status_code == 201
    assert created.headers["location"] == "http://localhost/resource_classes/CUSTOM_GOLD"
    assert "content-type" not in created.headers
    assert client.post("/resource_classes", json={"name": "CUSTOM_GOLD"}).status_code == 409
    assert client.put("/resource_classes/CUSTOM_GOLD").status_code == 204
    assert client.get("/resource_classes/CUSTOM_GOLD").json["name"] == "CUSTOM_GOLD"
    assert client.delete("/resource_classes/CUSTOM_GOLD").status_code == 204
    assert client.get("/resource_classes/CUSTOM_GOLD").status_code == 404
    assert client.delete("/resource_classes/CUSTOM_GOLD").status_code == 404
    assert client.put("/resource_classes/CUSTOM_GOLD").status_code == 201


def test_a_standard_class_stays(client: FlaskClient) -> None:
    answer = client.delete("/resource_classes/VCPU")

    assert answer.status_code == 400
    assert "Cannot delete standard resource class" in answer.json["errors"][0]["detail"]


def test_names_are_checked(client: FlaskClient) -> None:
    for name in ("gold", "CUSTOM_gold", "CUSTOM_", "VCPU2", "CUSTOM_" + "A" * 249, "CUSTOM_Ä", "CUSTOM_A\n"):
        assert client.post("/resource_classes", json={"name": name}).status_code == 400
    assert client.post("/resource_classes", json={"name": "CUSTOM_" + "A" * 248}).status_code == 201
    assert client.put("/resource_classes/CUSTOM_a").status_code == 400
