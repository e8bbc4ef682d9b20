// The dialogs: games in and out as text.

import { Refused, ask } from "./api.js";
import { find, make } from "./dom.js";

/** A text in which backticks stand around what is typed. */
const typeset = (text) => text.split("`").map((part, at) => (at % 2 ? make("code", {}, part) : part));

/** Shows what is wrong instead of failing. */
async function guarded(place, work) {
  place.textContent = "";
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    place.textContent = error.message;
  }
}

/** Prepares the dialog that reads; `board()` is what is played, and `onLoaded` is told the view. */
export function prepareLoad(board, onLoaded) {
  const [dialog, text, error] = [find("load-dialog"), find("load-text"), find("load-error")];
  find("load").addEventListener("click", () => {
    error.textContent = "";
    find("load-formats").replaceChildren(...board().formats.map((format) => make("li", {}, ...typeset(format.about))));
    dialog.showModal();
    text.focus();
  });
  find("load-cancel").addEventListener("click", () => dialog.close());
  find("load-file").addEventListener("change", async (event) => {
    const file = event.target.files[0];
    if (file) text.value = await file.text();
    event.target.value = "";
  });
  dialog.querySelector("form").addEventListener("submit", (event) => {
    event.preventDefault();
    guarded(error, async () => {
      const { view, more } = await ask("load", { game: board().game, text: text.value });
      dialog.close();
      onLoaded(view, more);
    });
  });
}

/** Prepares the dialog that writes; `game()` is what is played, and `names()` who plays it. */
export function prepareSave(game, names) {
  const [dialog, format, text, error] = [find("save-dialog"), find("save-format"), find("save-text"), find("save-error")];
  const sides = [find("save-black"), find("save-white")];
  const write = () => guarded(error, async () => {
    text.value = "";
    find("save-about").replaceChildren(...typeset(game().board.formats.find(({ name }) => name === format.value)?.about ?? ""));
    const told = game().told();
    const question = { ...told, moves: told.moves.slice(0, told.ply), ply: undefined, format: format.value, names: sides.map((side) => side.value) };
    text.value = `${(await ask("save", question)).text}\n`;
  });
  find("save").addEventListener("click", () => {
    const written = game().board.formats.filter((format) => format.is_written);
    const before = format.value;
    format.replaceChildren(...written.map(({ name, of_games }) => make("option", { value: name }, `${name} (${of_games ? "game" : "position"})`)));
    if (written.some(({ name }) => name === before)) format.value = before;
    sides.forEach((side, at) => { side.value ||= names()[at]; });
    dialog.showModal();
    write();
  });
  for (const element of [format, ...sides]) element.addEventListener("input", write);
  find("save-cancel").addEventListener("click", () => dialog.close());
  find("save-copy").addEventListener("click", () => navigator.clipboard?.writeText(text.value).catch(() => text.select()));
  dialog.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
  find("save-do").addEventListener("click", () => {
    const address = URL.createObjectURL(new Blob([text.value], { type: "text/plain" }));
    make("a", { href: address, download: `${game().board.game}.${format.value === "ggf" ? "ggf" : "txt"}` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  });
}
