// Elements of the page: found, made, and what is said in them.

import { Refused } from "./api.js";

export const find = (id) => document.getElementById(id);
export const wait = (time) => new Promise((done) => { setTimeout(done, time); });

/** Makes an element: its attributes, and what is in it. */
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

/** Says something to screen readers. */
export function announce(text) {
  const place = find("announcer");
  // The same words once more are news, too.
  place.textContent = place.textContent === text ? `${text}\u00a0` : text;
}

/** Says something in the line below the board. */
export function tell(text, isError = false) {
  find("status").textContent = text;
  find("status").classList.toggle("error", isError);
  find("status").classList.remove("busy");
}

/** Runs what a person asked for, and tells what is wrong with it. */
export async function attempt(work) {
  try {
    await work();
  } catch (error) {
    if (error.name === "AbortError") return;
    if (!(error instanceof Refused)) throw error;
    tell(error.message, true);
    announce(error.message);
  }
}
