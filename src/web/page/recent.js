// The dialog with the recent games of this browser.

import { make, openDialog, reportErrors } from "./dom.js";
import { openRecord, shortResult } from "./documents.js";
import { gameTitle, language, t } from "./language.js";
import { MAX_GAMES, readGame, recentGames, removeGame, writeGame } from "./library.js";
import { levelName, state } from "./state.js";

const isLevel = (name) => /^\d+$/.test(name) || state.boards[0].named_levels.includes(name);
const playerText = (name) => (!name ? t("human") : isLevel(name) ? levelName(name) : name);

export function showRecentGames() {
  const list = make("ul", { class: "entries", id: "recent-list" });
  const note = make("p", { class: "quiet" });
  const fill = () => {
    const games = recentGames();
    note.textContent = games.length ? t("recentNote", { count: MAX_GAMES }) : t("recentEmpty");
    list.replaceChildren(...games.map((game) => make("li", {},
      make("button", { type: "button", "aria-current": game.id === state.game.id ? "true" : undefined, onclick: () => reportErrors(async () => {
        const kept = readGame(game.id);
        dialog.close();
        if (kept && game.id !== state.game.id) await openRecord(kept, "");
      }) },
      make("b", {}, `${gameTitle(state.boards.find((board) => board.game === game.game) ?? { title: game.game })}: ${game.names.map(playerText).join(" – ")}`),
      make("span", { class: "quiet" }, [
        new Date(game.changed).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" }), shortResult(game), t("plies", { count: game.plies }),
        game.variations ? t("recentVariations", { count: game.variations }) : "", game.opening, game.event,
      ].filter(Boolean).join(" · "))),
      make("button", { type: "button", class: "icon delete", title: t("delete"), "aria-label": t("delete"), disabled: game.id === state.game.id, onclick: () => {
        const { record, description } = removeGame(game.id);
        fill();
        note.replaceChildren(t("gameDeleted"), " ", make("button", { type: "button", class: "small", id: "recent-undo", onclick: () => {
          writeGame(record, description);
          fill();
        } }, t("undoDelete")));
      } }, "×"))));
  };
  const dialog = openDialog("recent-dialog", t("recentGames"), [list, note]);
  fill();
}
