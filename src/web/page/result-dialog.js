// The end of a game: the dialog with the result, resigning, and offering a draw.

import { announce, closeDialog, make, openDialog, reportErrors, showMessage } from "./dom.js";
import { endGame } from "./documents.js";
import { t } from "./language.js";
import { review } from "./review-run.js";
import { otherSide } from "./score.js";
import { rematch } from "./start-dialog.js";
import { endAt, isContest, result, soleHuman, state, subscribe } from "./state.js";
import { showTab } from "./tabs.js";

/** The plies before which an engine plays on, whatever it thinks of the position. */
const MIN_DRAW_PLIES = 20;

function showResult() {
  const end = endAt();
  const human = soleHuman();
  if (!end || !human || state.practice) return;
  const title = !end.winner ? t("drawTitle") : t(end.winner === human ? "youWin" : "youLose");
  /** @type {(id: string, key: string, work: () => Promise<void>, style?: string) => HTMLButtonElement} */
  const action = (id, key, work, style = "") => make("button", {
    type: "button", id, class: style, onclick: () => {
      dialog.close();
      reportErrors(work);
    },
  }, t(key));
  const reviewed = async () => {
    showTab("review");
    await review();
  };
  const dialog = openDialog("result-dialog", title, [make("p", {}, result())], [
    action("result-rematch", "rematch", rematch), action("result-review", "reviewGame", reviewed, "primary"),
  ]);
}

/** Gives the game up, after asking. */
export function resign() {
  const side = soleHuman();
  if (!side || !isContest()) return;
  const dialog = openDialog("resign-dialog", t("resignTitle"), [make("p", {}, t("resignAsk"))], [
    make("button", { type: "button", id: "resign-do", class: "primary", onclick: () => {
      dialog.close();
      endGame(otherSide(side), "resigned");
    } }, t("resign")),
  ], t("cancel"));
}

/** Offers a draw. The engine accepts it unless it thinks that it is ahead, or the game has just begun. */
export function offerDraw() {
  const isDraw = state.game.ply >= MIN_DRAW_PLIES && state.opponentScore !== null && state.opponentScore <= 0;
  if (isDraw) endGame(null, "agreed");
  else {
    showMessage(t("drawDeclined"));
    announce(t("drawDeclined"));
  }
}

subscribe(showResult, "ended");
// Another game is on the board.
subscribe(() => closeDialog("result-dialog"), "board");
