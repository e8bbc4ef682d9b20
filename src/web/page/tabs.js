// The tabs beside the board: moves, analysis and review.

import { find } from "./dom.js";
import { changed, state, subscribe } from "./state.js";
import { storage } from "./storage.js";

const TABS = ["moves", "analysis", "review"];

/** The line of the tabs. */
const bar = /** @type {HTMLElement} */ (document.querySelector(".tabs"));

/** Shows a panel, and keeps the choice. @param {string} name */
export function showTab(name) {
  state.tab = name;
  storage.write("tab", name);
  changed("tab");
}

function show() {
  const isClosed = Boolean(state.setup || state.practice);
  bar.hidden = isClosed;
  for (const name of TABS) {
    const isShown = state.tab === name;
    find(`tab-${name}`).setAttribute("aria-selected", String(isShown));
    find(`tab-${name}`).tabIndex = isShown ? 0 : -1;
    find(`panel-${name}`).hidden = isClosed || !isShown;
  }
}

export function listenToTabs() {
  for (const name of TABS) find(`tab-${name}`).addEventListener("click", () => showTab(name));
  bar.addEventListener("keydown", (event) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const next = TABS[(TABS.indexOf(state.tab) + step + TABS.length) % TABS.length];
    showTab(next);
    find(`tab-${next}`).focus();
  });
  show();
}

subscribe(show, "position", "tab");
