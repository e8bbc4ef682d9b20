// Shows the status below the board, and enables the buttons that can be used.

import { find, showMessage } from "./dom.js";
import { canRedoAction, canUndoAction } from "./documents.js";
import { pieceWord, t } from "./language.js";
import { otherSide } from "./score.js";
import {
  endAt, isCapture, isContest, isEngine, isPass, passMessage, playerName, result, soleHuman, state, subscribe,
} from "./state.js";

/** What is to be done, in a sentence. */
function statusText() {
  const { game: { view, board }, touched, setup } = state;
  if (setup) return t("setUpStatus");
  if (endAt()) return result();
  if (state.running.engine) return t("thinking", { player: playerName(view.side) });
  if (touched.length) {
    const { piece } = board.words;
    const values = { side: t(`${otherSide(view.side)}Piece`), piece: pieceWord(board, 1) };
    return isCapture() ? t("mill", values, piece) : t("moveTo", values, piece);
  }
  if (isPass()) return passMessage();
  if (soleHuman() === view.side && !state.practice) return t("yourMove", { side: t(view.side) });
  return t("toMove", { player: playerName(view.side) });
}

function showStatus() {
  const { game: { view }, paused, setup } = state;
  const isThinking = Boolean(state.running.engine);
  find("thinking").hidden = !isThinking;
  find("resume").hidden = !(paused && !endAt() && isEngine(view.side)) || Boolean(setup);
  showMessage(statusText());
  find("status").classList.toggle("busy", isThinking && !setup && !endAt());
  find("status").classList.toggle("mill", !setup && state.touched.length > 0 && isCapture());
}

/** Enables the buttons that can be used. The focus of what no longer can goes to its neighbor, or to the tabs. */
function showButtons() {
  const focused = document.activeElement;
  enableButtons();
  if (!focused || (focused.checkVisibility() && !focused.matches(":disabled"))) return;
  /** @type {HTMLElement | null | undefined} */
  const neighbor = focused.parentElement?.querySelector("button:enabled:not([hidden])");
  (neighbor?.checkVisibility() ? neighbor : find(`tab-${state.tab}`)).focus();
}

function enableButtons() {
  const { game, touched, setup } = state;
  const [atStart, atEnd] = [game.ply === 0, !game.node.children.length];
  const isClosed = Boolean(setup || state.practice);
  /** @type {(ids: string[], isDisabled: boolean) => void} */
  const disable = (ids, isDisabled) => ids.forEach((id) => {
    /** @type {HTMLButtonElement} */
    const button = find(id);
    button.disabled = isDisabled;
  });
  disable(["first", "back"], atStart || isClosed);
  disable(["next", "last"], atEnd || isClosed);
  disable(["redo"], (atEnd && !canRedoAction()) || isClosed);
  disable(["undo"], (atStart && !touched.length && !canUndoAction()) || isClosed);
  disable(["chart"], game.moves.length === 0 || isClosed);
  disable(["load", "share", "recent", "practice"], Boolean(setup));
  disable(["hints", "save"], isClosed);
  const isGame = isContest() && game.moves.length > 0;
  find("resign").hidden = !isGame;
  find("draw").hidden = !isGame || game.board.counts_margin;
  find("rematch").hidden = isContest() || !soleHuman() || isClosed || !endAt(game.lineEnd);
}

subscribe(showStatus, "position", "thinking");
subscribe(showButtons, "position", "undo", "thinking");
