// The panel that sets up a position, by clicking or by pasting its notation.

import { RequestError, ask } from "./api.js";
import { make } from "./dom.js";
import { t } from "./language.js";
import { sideName } from "./score.js";

const SIDES = ["black", "white"];
/** How long the notation waits for further clicks, in milliseconds. */
const NOTATION_DELAY = 150;

export class SetUp {
  /** `onShow` is called to redraw the pieces; `onDone` with the new view, or with nothing if the user cancels. */
  constructor(host) {
    Object.assign(this, { host, onShow() {}, onDone() {}, open: false });
  }

  begin(board, view) {
    Object.assign(this, { board, pieces: [...view.pieces], inHand: [...(view.in_hand ?? [0, 0])], brush: "black", open: true });
    const choice = (group, value, checked, label, onchange, swatch = value) =>
      make("label", {}, make("input", { type: "radio", name: group, value, checked, onchange }), swatch ? make("i", { class: `swatch ${swatch}` }) : "", label);
    this.hands = SIDES.map((side, at) => make("input", {
      type: "number", min: 0, max: board.in_hand?.[at] ?? 0, value: this.inHand[at],
      oninput: (event) => {
        this.inHand[at] = Math.max(0, Math.min(event.target.valueAsNumber || 0, board.in_hand?.[at] ?? 0));
        this.changed();
      },
    }));
    this.notation = make("input", { id: "setup-text", value: view.position, spellcheck: "false", autocomplete: "off" });
    this.error = make("p", { class: "error", role: "alert" });
    this.host.replaceChildren(
      make("div", { class: "title" }, make("h2", {}, t("setUpTitle")), make("div", { class: "buttons" },
        make("button", { class: "small", id: "setup-start", onclick: () => this.reset() }, t("startPosition")),
        make("button", { class: "small", id: "setup-clear", onclick: () => this.clear() }, t("clear")))),
      make("fieldset", { class: "brushes" }, make("legend", {}, t("place")), make("div", { class: "choices" },
        ...[...SIDES, "empty"].map((brush) => choice("brush", brush, brush === this.brush, brush === "empty" ? t("erase") : sideName(brush), () => { this.brush = brush; })))),
      make("fieldset", {}, make("legend", {}, t("sideToMove")), make("div", { class: "choices" },
        ...SIDES.map((side) => choice("mover", side, side === view.side, sideName(side), () => this.changed(), "")))),
      board.in_hand ? make("fieldset", { class: "pair" }, ...SIDES.map((side, at) => make("label", {}, t("sideInHand", { side: sideName(side) }), this.hands[at]))) : "",
      make("fieldset", { class: "stack" }, make("label", { for: "setup-text" }, t("paste")),
        make("div", { class: "row" }, this.notation, make("button", { id: "setup-read", onclick: () => this.read() }, t("loadPosition")))),
      this.error,
      make("div", { class: "buttons end" }, make("button", { id: "setup-cancel", onclick: () => this.finish() }, t("cancel")),
        make("button", { class: "primary", id: "setup-done", onclick: () => this.done() }, t("done"))),
    );
    this.notation.addEventListener("keydown", (event) => event.key === "Enter" && this.read());
    this.host.onkeydown = (event) => event.key === "Escape" && this.finish();
    this.host.hidden = false;
    document.body.classList.add("setting-up");
    this.onShow();
  }

  touch(point) {
    const piece = this.brush === "empty" ? null : this.brush;
    this.pieces[point] = this.pieces[point] === piece ? null : piece;
    this.changed();
  }

  clear() {
    this.pieces.fill(null);
    this.changed();
  }

  /** Sets up the start of the game. */
  async reset() {
    const view = await ask("view", { game: this.board.game });
    this.pieces = [...view.pieces];
    this.inHand = [...(view.in_hand ?? [0, 0])];
    this.hands.forEach((input, at) => { input.value = this.inHand[at]; });
    this.host.querySelector(`input[name=mover][value=${view.side}]`).checked = true;
    this.changed();
  }

  request() {
    const side = this.host.querySelector("input[name=mover]:checked").value;
    return { game: this.board.game, pieces: this.pieces, in_hand: this.inHand, side };
  }

  /** Shows the pieces, and their notation or why they are not a position. */
  changed() {
    this.error.textContent = "";
    this.onShow();
    clearTimeout(this.timer);
    this.timer = setTimeout(async () => {
      const asked = JSON.stringify(this.request());
      const isCurrent = () => this.open && asked === JSON.stringify(this.request());
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

  /** Finishes with the view that a request returns, or shows its error. */
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
    this.open = false;
    this.host.hidden = true;
    document.body.classList.remove("setting-up");
  }

  finish(view) {
    this.close();
    this.onDone(view);
  }
}
