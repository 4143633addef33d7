// What is asked of the server, and the token that it wants.

import { h } from "./dom.js";

const { root, strategy } = document.body.dataset;
const TOKEN = "graphplace.token";
const VERSION = "placement 1.39, graphplace 1.0";
const UNAUTHORIZED = 401;

/** The address of a view of the page. @param {...string} parts */
export function address(...parts) {
  return `${root}/ui/${parts.map(encodeURIComponent).join("/")}`;
}

/** The parts of the path of the view that is shown, of which the first one names it. */
export function viewPath() {
  return location.pathname.slice(address("").length).split("/").map(decodeURIComponent);
}

/**
 * The address of the data of a view.
 * @param {string} view an address of this page, with or without a query
 */
export function dataOf(view) {
  const [path, query] = view.split(/\?(.*)/s);
  return `${path}.json${query ? `?${query}` : ""}`;
}

/**
 * Returns the JSON at a path, asks for a token if need be, and throws an Error with the server's words.
 * @param {string} path @param {unknown} [body] what to send as JSON, if anything
 */
export async function ask(path, body) {
  let wrong = "";
  for (;;) {
    const token = wrong ? null : sessionStorage.getItem(TOKEN);
    const headers = {
      "X-Auth-Token": token ?? (await askForToken(wrong)),
      "OpenStack-API-Version": VERSION,
      Accept: "application/json",
    };
    const sent =
      body === undefined
        ? { headers }
        : { method: "POST", headers: { ...headers, "Content-Type": "application/json" }, body: JSON.stringify(body) };
    const response = await fetch(path, sent).catch(() => {
      throw new Error("The server does not answer.");
    });
    if (response.status !== UNAUTHORIZED) return read(response);
    forgetToken();
    wrong = "The server does not take this token.";
  }
}

/** Forgets the token, so that the next request asks for one. */
export function forgetToken() {
  sessionStorage.removeItem(TOKEN);
}

/** The same of the API itself. @param {string} path */
export function askApi(path) {
  return ask(`${root}${path}`);
}

/** @param {Response} response */
async function read(response) {
  const text = await response.text();
  let document;
  try {
    document = JSON.parse(text);
  } catch {
    throw new Error(`The server answered with ${response.status} and no JSON.`);
  }
  if (!response.ok) {
    const [error] = document.errors ?? [{}];
    // The reason is the last line of the detail.
    throw new Error(
      String(error.detail ?? response.statusText)
        .trim()
        .split("\n")
        .pop()
        .trim(),
    );
  }
  return document;
}

let asking = null;

/** One dialog, however many requests wait for it. @param {string} wrong */
function askForToken(wrong) {
  asking ??= openDialog(wrong).finally(() => (asking = null));
  return asking;
}

/** @param {string} wrong @returns {Promise<string>} */
function openDialog(wrong) {
  return new Promise((resolve, reject) => {
    const checked = strategy === "keystone";
    const input = h("input", {
      id: "token",
      type: checked ? "password" : "text",
      autocomplete: "off",
      required: true,
      value: checked ? "" : "admin",
    });
    const hint = checked
      ? "A token of Keystone, as “openstack token issue” gives it."
      : "The user, or user:project. Tokens are not checked here.";
    const form = h(
      "form",
      { method: "dialog", submit: done },
      h("h2", { id: "token-title" }, "Who are you?"),
      wrong && h("p", { class: "wrong", role: "alert" }, wrong),
      h("label", { for: "token" }, "Token"),
      input,
      h("p", { class: "hint" }, hint),
      h("button", {}, "Continue"),
    );
    const dialog = h("dialog", { "aria-labelledby": "token-title", close: closed }, form);
    function done() {
      sessionStorage.setItem(TOKEN, input.value.trim());
      resolve(input.value.trim());
    }
    function closed() {
      dialog.remove();
      // Without effect once there is a token.
      reject(new Error("Nothing is shown without a token. Another token asks for it again."));
    }
    document.body.append(dialog);
    dialog.showModal();
    input.select();
  });
}
