// The dialogs that load and save games as text.

import { RequestError, ask } from "./api.js";
import { find, make } from "./dom.js";

/** Turns text between backticks into code elements. */
const renderCode = (text) => text.split("`").map((part, index) => (index % 2 ? make("code", {}, part) : part));

/** Runs `work` and shows the error of a failed request in an element. */
async function withErrors(element, work) {
  element.textContent = "";
  try {
    await work();
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    element.textContent = error.message;
  }
}

/** Prepares the dialog that loads. `board()` returns the current kind of game; `onLoaded` is called with the new view. */
export function prepareLoad(board, onLoaded) {
  const [dialog, text, error] = [find("load-dialog"), find("load-text"), find("load-error")];
  find("load").addEventListener("click", () => {
    error.textContent = "";
    find("load-formats").replaceChildren(...board().formats.map((format) => make("li", {}, ...renderCode(format.about))));
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
    withErrors(error, async () => {
      const { view, more } = await ask("load", { game: board().game, text: text.value });
      dialog.close();
      onLoaded(view, more);
    });
  });
}

/** Prepares the dialog that saves. `game()` returns the game; `names()` the default names of Black and White. */
export function prepareSave(game, names) {
  const [dialog, format, text, error] = [find("save-dialog"), find("save-format"), find("save-text"), find("save-error")];
  const sides = [find("save-black"), find("save-white")];
  const write = () => withErrors(error, async () => {
    text.value = "";
    find("save-about").replaceChildren(...renderCode(game().board.formats.find(({ name }) => name === format.value)?.about ?? ""));
    const fields = game().request();
    const request = { ...fields, moves: fields.moves.slice(0, fields.ply), ply: undefined, format: format.value, names: sides.map((side) => side.value) };
    text.value = `${(await ask("save", request)).text}\n`;
  });
  find("save").addEventListener("click", () => {
    const writable = game().board.formats.filter((format) => format.is_written);
    const previous = format.value;
    format.replaceChildren(...writable.map(({ name, of_games }) => make("option", { value: name }, `${name} (${of_games ? "game" : "position"})`)));
    if (writable.some(({ name }) => name === previous)) format.value = previous;
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
    make("a", { href: address, download: `${game().board.game}.${["ggf", "pgn"].includes(format.value) ? format.value : "txt"}` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  });
}
