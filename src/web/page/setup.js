// The panel that sets up a position, by clicking or by pasting its notation.

import { RequestError, ask } from "./api.js";
import { make } from "./dom.js";
import { sideName } from "./score.js";

const SIDES = ["black", "white"];

export class SetUp {
  /** `onShow` is called to redraw the pieces; `onDone` with the new view, or with nothing if the user cancels. */
  constructor(host) {
    Object.assign(this, { host, onShow() {}, onDone() {}, open: false });
  }

  begin(board, view) {
    Object.assign(this, { board, pieces: [...view.pieces], inHand: [...(view.in_hand ?? [0, 0])], brush: "black", open: true });
    const choice = (group, value, checked, label, onchange, swatch = value) =>
      make("label", {}, make("input", { type: "radio", name: group, value, checked, onchange }), swatch ? make("i", { class: `swatch ${swatch}` }) : "", label);
    const hands = SIDES.map((side, at) => make("label", {}, `${sideName(side)} in hand`, make("input", {
      type: "number", min: 0, max: board.in_hand?.[at] ?? 0, value: this.inHand[at],
      oninput: (event) => { this.inHand[at] = Math.max(0, event.target.valueAsNumber || 0); },
    })));
    this.notation = make("input", { id: "setup-text", value: view.position, spellcheck: "false", autocomplete: "off" });
    this.error = make("p", { class: "error", role: "alert" });
    this.host.replaceChildren(
      make("div", { class: "title" }, make("h2", {}, "Set up a position"), make("button", { class: "small", id: "setup-clear", onclick: () => this.clear() }, "Clear")),
      make("fieldset", {}, make("legend", {}, "Place"), make("div", { class: "choices" },
        ...[...SIDES, "empty"].map((brush) => choice("brush", brush, brush === this.brush, brush === "empty" ? "Erase" : sideName(brush), () => { this.brush = brush; })))),
      make("fieldset", {}, make("legend", {}, "To move"), make("div", { class: "choices" },
        ...SIDES.map((side) => choice("mover", side, side === view.side, sideName(side), () => {}, "")))),
      board.in_hand ? make("fieldset", { class: "pair" }, ...hands) : "",
      make("fieldset", { class: "stack" }, make("label", { for: "setup-text" }, "Paste a position"),
        make("div", { class: "row" }, this.notation, make("button", { id: "setup-read", onclick: () => this.read() }, "Load"))),
      this.error,
      make("div", { class: "buttons end" }, make("button", { id: "setup-cancel", onclick: () => this.finish() }, "Cancel"),
        make("button", { class: "primary", id: "setup-done", onclick: () => this.done() }, "Done")),
    );
    this.notation.addEventListener("keydown", (event) => event.key === "Enter" && this.read());
    this.host.onkeydown = (event) => event.key === "Escape" && this.finish();
    this.host.hidden = false;
    this.onShow();
  }

  touch(point) {
    const piece = this.brush === "empty" ? null : this.brush;
    this.pieces[point] = this.pieces[point] === piece ? null : piece;
    this.error.textContent = "";
    this.onShow();
  }

  clear() {
    this.pieces.fill(null);
    this.onShow();
  }

  async done() {
    const side = this.host.querySelector("input[name=mover]:checked").value;
    await this.finishWith(() => ask("arrange", { game: this.board.game, pieces: this.pieces, in_hand: this.inHand, side }));
  }

  async read() {
    await this.finishWith(async () => (await ask("load", { game: this.board.game, text: this.notation.value })).view);
  }

  /** Finishes with the view that a request returns, or shows its error. */
  async finishWith(request) {
    try {
      this.finish(await request());
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      this.error.textContent = error.message;
    }
  }

  close() {
    this.open = false;
    this.host.hidden = true;
  }

  finish(view) {
    this.close();
    this.onDone(view);
  }
}
