// The dialog with the recent games of this browser.

import { make, openDialog, reportErrors } from "./dom.js";
import { openRecord, shortResult } from "./documents.js";
import { gameTitle, language, t } from "./language.js";
import { MAX_GAMES, readGame, recentGames, removeGame, writeGame } from "./library.js";
import { boardOf, playerText, state } from "./state.js";

/** @import { Description } from "./types.d.ts" */

/** The facts of a game in a line. @param {Description} game */
const factsOf = (game) => [
  new Date(game.changed).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" }), shortResult(game),
  t("plies", { count: game.plies }), game.variations ? t("recentVariations", { count: game.variations }) : "",
  game.opening, game.event,
].filter(Boolean).join(" · ");

export function showRecentGames() {
  const list = make("ul", { class: "entries", id: "recent-list" });
  const note = make("p", { class: "quiet" });
  /** @param {string} id */
  const reopen = (id) => reportErrors(async () => {
    const kept = readGame(id);
    dialog.close();
    if (kept && id !== state.game.id) await openRecord(kept, "");
  });
  /** @param {string} id */
  const remove = (id) => {
    const { record, description } = removeGame(id);
    fill();
    const restore = () => {
      if (record && description) writeGame(record, description);
      fill();
    };
    note.replaceChildren(t("gameDeleted"), " ",
      make("button", { type: "button", class: "small", id: "recent-undo", onclick: restore }, t("undoDelete")));
  };
  /** @param {Description} game */
  const item = (game) => {
    const { id } = game;
    const isOpen = id === state.game.id;
    // A game that the server no longer knows has its name as its title.
    const title = gameTitle(boardOf(game.game) ?? { game: game.game, title: game.game });
    return make("li", {},
      make("button", { type: "button", "aria-current": isOpen ? "true" : undefined, onclick: () => reopen(id) },
        make("b", {}, `${title}: ${game.names.map(playerText).join(" – ")}`),
        make("span", { class: "quiet" }, factsOf(game))),
      make("button", {
        type: "button", class: "icon delete", title: t("delete"), "aria-label": t("delete"), disabled: isOpen,
        onclick: () => remove(id),
      }, "×"));
  };
  const fill = () => {
    const games = recentGames();
    note.textContent = games.length ? t("recentNote", { count: MAX_GAMES }) : t("recentEmpty");
    list.replaceChildren(...games.map(item));
  };
  const dialog = openDialog("recent-dialog", t("recentGames"), [list, note]);
  fill();
}
