// Scores for people. A score comes for the side to move; bars and graphs are of Black.

const NAMES = { black: "Black", white: "White" };

export const sideName = (side) => NAMES[side];
export const otherSide = (side) => (side === "black" ? "white" : "black");

/** Black's points. */
const blackPoints = (score, side) => (side === "black" ? score.points : -score.points);

/** How well Black stands, from 0 (lost) to 1 (won). */
export function share(points, board) {
  if (!board.counts_margin && Math.abs(points) >= board.most_points) return points > 0 ? 1 : 0;
  const scale = board.counts_margin ? 4.5 / board.most_points : 2.2;
  return 0.5 + 0.5 * Math.tanh(points * scale);
}

export const blackShare = (score, side, board) => share(blackPoints(score, side), board);

/** A score in a few words, with who is ahead: `Black +4`, `White wins in 13 plies`, `even`. */
export function describe(score, side, board) {
  const text = score.text;
  const ahead = score.points === 0 ? null : score.points > 0 ? side : otherSide(side);
  if (!board.counts_margin && score.exact) {
    if (!ahead) return "Draw";
    const plies = score.plies === null ? "" : ` in ${score.plies} ${score.plies === 1 ? "ply" : "plies"}`;
    return `${sideName(ahead)} wins${plies}`;
  }
  const number = text.match(/\d+(\.\d+)?/)?.[0];
  if (number === undefined) return `${sideName(side)}: ${text}`;
  if (/[≥≤]/.test(text)) return `${sideName(side)} ${text}`;
  if (Number(number) === 0) return score.exact ? "Draw" : "Even";
  return `${sideName(ahead)} +${number}`;
}

/** A score of a move on the board: `+4`, `W13`, `L12`, `D`, `+0.1`. */
export function brief(score, board) {
  if (board.counts_margin || !score.exact) return score.text.replace("-", "−").replace(" ", "");
  const letter = score.points > 0 ? "W" : score.points < 0 ? "L" : "D";
  return letter + (score.plies && score.points !== 0 ? score.plies : "");
}

/** `1234567` as `1.2 M`. */
export function amount(number) {
  for (const [size, unit] of [[1e9, "G"], [1e6, "M"], [1e3, "k"]]) {
    if (number >= size) return `${(number / size).toFixed(1)} ${unit}`;
  }
  return String(number);
}
