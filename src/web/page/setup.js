// The panel that sets up a position, by clicking or by pasting its notation.

import { RequestError, ask } from "./api.js";
import { openView } from "./documents.js";
import { find, make, reportErrors } from "./dom.js";
import { t } from "./language.js";
import { proceed } from "./play.js";
import { sideName } from "./score.js";
import { SIDES, abortAll, changed, isEngine, state } from "./state.js";

/** @import { BoardView, GameView, Side } from "./types.d.ts" */

/** How long the notation waits for further clicks, in milliseconds. */
const NOTATION_DELAY = 150;

const host = find("setup");

export class SetUp {
  /**
   * @param {BoardView} board
   * @param {GameView} view
   */
  constructor(board, view) {
    this.board = board;
    this.pieces = [...view.pieces];
    this.inHand = [...(view.in_hand ?? [0, 0])];
    /** What a click places. @type {Side | "empty"} */
    this.brush = "black";
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.hands = SIDES.map((_, at) => make("input", {
      type: "number", min: 0, max: board.in_hand?.[at] ?? 0, value: this.inHand[at],
      /** @param {{ target: HTMLInputElement }} event */
      oninput: ({ target }) => {
        this.inHand[at] = Math.max(0, Math.min(target.valueAsNumber || 0, Number(target.max)));
        this.update();
      },
    }));
    this.notation = make("input", { id: "setup-text", value: view.position, spellcheck: "false", autocomplete: "off" });
    this.notation.addEventListener("keydown", (event) => event.key === "Enter" && this.read());
    this.error = make("p", { class: "error", role: "alert" });
    host.replaceChildren(...this.content(view));
    host.onkeydown = (event) => { if (event.key === "Escape") this.finish(); };
    host.hidden = false;
    document.body.classList.add("setting-up");
  }

  /** The elements of the panel. @param {GameView} view */
  content(view) {
    /** @type {(id: string, key: string, work: () => unknown, name?: string) => HTMLButtonElement} */
    const button = (id, key, work, name = "") => make("button", { class: name, id, onclick: work }, t(key));
    /**
     * @type {(name: string, value: Side | "empty", checked: boolean, onchange: () => void, isDrawn: boolean)
     *   => HTMLLabelElement}
     */
    const choice = (name, value, checked, onchange, isDrawn) => make("label", {},
      make("input", { type: "radio", name, value, checked, onchange }),
      isDrawn ? make("i", { class: `swatch ${value}` }) : "", value === "empty" ? t("erase") : sideName(value));
    /** @param {Side | "empty"} value */
    const brush = (value) => choice("brush", value, value === this.brush, () => { this.brush = value; }, true);
    /** @param {Side} side */
    const mover = (side) => choice("mover", side, side === view.side, () => this.update(), false);
    /** @type {(key: string, choices: HTMLElement[]) => HTMLElement[]} */
    const group = (key, choices) => [make("legend", {}, t(key)), make("div", { class: "choices" }, ...choices)];
    /** @type {(side: Side, at: number) => HTMLElement} */
    const hand = (side, at) => make("label", {}, t("sideInHand", { side: sideName(side) }), this.hands[at]);
    return [
      make("div", { class: "title" }, make("h2", {}, t("setUpTitle")), make("div", { class: "buttons" },
        button("setup-start", "startPosition", () => this.reset(), "small"),
        button("setup-clear", "clear", () => this.clear(), "small"))),
      make("fieldset", { class: "brushes" }, ...group("place", [...SIDES.map(brush), brush("empty")])),
      make("fieldset", {}, ...group("sideToMove", SIDES.map(mover))),
      this.board.in_hand ? make("fieldset", { class: "pair" }, ...SIDES.map(hand)) : "",
      make("fieldset", { class: "stack" }, make("label", { for: "setup-text" }, t("paste")),
        make("div", { class: "row" }, this.notation, button("setup-read", "loadPosition", () => this.read()))),
      this.error,
      make("div", { class: "buttons end" }, button("setup-cancel", "cancel", () => this.finish()),
        button("setup-done", "done", () => this.done(), "primary")),
    ];
  }

  /** @param {number} point */
  touch(point) {
    const piece = this.brush === "empty" ? null : this.brush;
    this.pieces[point] = this.pieces[point] === piece ? null : piece;
    this.update();
  }

  clear() {
    this.pieces.fill(null);
    this.update();
  }

  /** Sets up the start of the game. */
  async reset() {
    const view = await ask("view", { game: this.board.game });
    this.pieces = [...view.pieces];
    this.inHand = [...(view.in_hand ?? [0, 0])];
    this.hands.forEach((input, at) => { input.value = String(this.inHand[at]); });
    /** @type {HTMLInputElement | null} */
    const mover = host.querySelector(`input[name=mover][value=${view.side}]`);
    if (mover) mover.checked = true;
    this.update();
  }

  request() {
    /** @type {HTMLInputElement | null} */
    const mover = host.querySelector("input[name=mover]:checked");
    return { game: this.board.game, pieces: this.pieces, in_hand: this.inHand, side: mover?.value };
  }

  /** Shows the pieces, and their notation or why they are not a position. */
  update() {
    this.error.textContent = "";
    changed("position");
    clearTimeout(this.timer);
    this.timer = setTimeout(async () => {
      const asked = JSON.stringify(this.request());
      const isCurrent = () => state.setup === this && asked === JSON.stringify(this.request());
      try {
        const { position } = await ask("arrange", this.request());
        if (isCurrent() && document.activeElement !== this.notation) this.notation.value = position;
      } catch (error) {
        if (!(error instanceof RequestError) || !isCurrent()) return;
        this.notation.value = "";
        this.error.textContent = t("invalidPosition", { error: error.message });
      }
    }, NOTATION_DELAY);
  }

  async done() {
    await this.finishWith(() => ask("arrange", this.request()));
  }

  async read() {
    await this.finishWith(async () => (await ask("load", { game: this.board.game, text: this.notation.value })).view);
  }

  /** Finishes with the view that a request returns, or shows its error. @param {() => Promise<GameView>} request */
  async finishWith(request) {
    clearTimeout(this.timer);
    try {
      this.finish(await request());
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      this.error.textContent = error.message;
    }
  }

  close() {
    clearTimeout(this.timer);
    state.setup = null;
    host.hidden = true;
    document.body.classList.remove("setting-up");
  }

  /** Opens the position that was set up; without one, the game continues. @param {GameView} [view] */
  finish(view) {
    this.close();
    if (view) reportErrors(() => openView(view, t("setUpDone")));
    else {
      state.paused = isEngine(state.game.view.side);
      proceed();
    }
  }
}

/** Begins to set up a position, or gives it up. */
export function toggleSetUp() {
  if (state.setup) {
    state.setup.finish();
    return;
  }
  abortAll();
  state.clock?.stop();
  state.touched = [];
  state.setup = new SetUp(state.game.board, state.game.view);
  changed("position");
  // On a phone the board comes into view; the brushes are fixed at the bottom.
  const isNarrow = matchMedia("(max-width: 60rem)").matches;
  (isNarrow ? find("board") : host).scrollIntoView({ block: isNarrow ? "start" : "nearest" });
}
