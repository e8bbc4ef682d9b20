// Helpers for elements of the page, and messages to the user.

import { RequestError, isAbort } from "./api.js";
import { t } from "./language.js";

/**
 * The element with this id, which the page has.
 * @template {HTMLElement} E
 * @param {string} id
 */
export const find = (id) => /** @type {E} */ (document.getElementById(id));

/** Whether the user wants nothing to move. */
export const wantsStillness = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** @type {(time: number) => Promise<void>} waits for some milliseconds */
export const wait = (time) => new Promise((done) => { setTimeout(done, time); });

/**
 * Makes an element. Attributes whose names begin with `on` are event listeners.
 * @template {keyof HTMLElementTagNameMap} N
 * @param {N} name
 * @param {Record<string, any>} attributes
 * @param {(Node | string)[]} children
 */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

/**
 * Draws an element of an SVG image.
 * @template {keyof SVGElementTagNameMap} N
 * @param {N} name
 * @param {Record<string, any>} attributes
 * @param {Element} [parent]
 */
export function draw(name, attributes, parent) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  parent?.append(element);
  return element;
}

/** Turns text between backticks into code elements. @param {string} text */
export const renderCode = (text) => text.split("`").map((part, index) => (index % 2 ? make("code", {}, part) : part));

/**
 * Opens a dialog that is removed when it is closed. Its last line has the given buttons and one that closes it.
 * @param {string} id
 * @param {string} title
 * @param {(Node | string)[]} content
 * @param {HTMLButtonElement[]} buttons
 */
export function openDialog(id, title, content, buttons = [], closeText = t("close")) {
  document.getElementById(id)?.remove();
  const close = make("button", { type: "button", id: `${id}-close`, onclick: () => dialog.close() }, closeText);
  const dialog = make("dialog", { id, "aria-labelledby": `${id}-title` },
    make("form", { method: "dialog" },
      make("h2", { id: `${id}-title` }, title), ...content, make("div", { class: "buttons end" }, close, ...buttons)));
  dialog.addEventListener("close", () => dialog.remove());
  // A click beside the dialog is one on its ground.
  dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
  // The focus of its last line has scrolled a long one.
  dialog.scrollTop = 0;
  return dialog;
}

/** Closes a dialog if it is open. @param {string} id */
export function closeDialog(id) {
  /** @type {HTMLDialogElement | null} */
  const dialog = document.querySelector(`#${id}`);
  dialog?.close();
}

/**
 * Offers a file to download.
 * @param {Blob} blob
 * @param {string} name
 */
export function download(blob, name) {
  const address = URL.createObjectURL(blob);
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/**
 * Runs `work` and shows the error of a failed request in an element.
 * @param {Element} element
 * @param {() => unknown} work
 */
export async function withErrors(element, work) {
  element.textContent = "";
  try {
    await work();
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    element.replaceChildren(...renderCode(error.message));
  }
}

/** Announces a text to screen readers. @param {string} text */
export function announce(text) {
  const announcer = find("announcer");
  // Screen readers ignore a text that does not change.
  announcer.textContent = announcer.textContent === text ? `${text}\u00a0` : text;
}

/** Shows a message below the board. @param {string} text */
export function showMessage(text, isError = false) {
  find("status").replaceChildren(...renderCode(text));
  find("status").classList.toggle("error", isError);
  find("status").classList.remove("busy");
}

/** Runs an action of the user and reports the error of a failed request. @param {() => unknown} work */
export async function reportErrors(work) {
  try {
    await work();
  } catch (error) {
    if (isAbort(error)) return;
    if (!(error instanceof RequestError)) throw error;
    showMessage(error.message, true);
    announce(error.message);
  }
}
