// Scores in words. A score is for the side to move; the bar and the graph show Black's.

const NAMES = { black: "Black", white: "White" };

export const sideName = (side) => NAMES[side];
export const otherSide = (side) => (side === "black" ? "white" : "black");

/** A number of things: `1 disc`, `2 discs`. */
export const count = (number, one, several = `${one}s`) => `${number} ${number === 1 ? one : several}`;

/** The result for Black on a scale from 0 (lost) to 1 (won). */
export function share(points, board) {
  if (!board.counts_margin && Math.abs(points) >= board.most_points) return points > 0 ? 1 : 0;
  const scale = board.counts_margin ? 4.5 / board.most_points : 2.2;
  return 0.5 + 0.5 * Math.tanh(points * scale);
}

export const blackShare = (score, side, board) => share(side === "black" ? score.points : -score.points, board);

/** The winner's moves until the end of the game. */
const movesToWin = (plies) => Math.ceil(plies / 2);

/** A score in words: `Black wins by 4 discs`, `Black +4.3 discs`, `White wins in 5 moves`, `Black is clearly better (0.88)`, `Even`. */
export function describe(score, side, board) {
  const { points, exact, plies, text } = score;
  const winner = sideName(points > 0 ? side : otherSide(side));
  const size = Math.abs(points);
  if (exact && points === 0) return "Draw";
  if (board.counts_margin) {
    const discs = (number) => count(number, board.words.piece, board.words.pieces);
    if (exact) return `${winner} wins by ${discs(size)}`;
    if (/[≥≤]/.test(text)) return `${sideName(side)}: ${text.startsWith("≥") ? "at least" : "at most"} ${text.slice(2)} ${board.words.pieces}`;
    return size < 0.05 ? "Even" : `${winner} +${discs(size.toFixed(1))}`;
  }
  if (exact) return `${winner} wins${plies === null ? "" : ` in ${count(movesToWin(plies), "move")}`}`;
  if (/[a-z]/.test(text)) return `${sideName(side)}: ${text}`;
  if (size < 0.05) return "Even";
  const degree = size < 0.2 ? "slightly " : size < 0.6 ? "" : "clearly ";
  return `${winner} is ${degree}better (${size.toFixed(2)})`;
}

/** A score as a hint on the board: `+4`, `W5` (a win in 5 moves), `L6`, `D`, `+0.1`. */
export function shortScore(score, board) {
  if (board.counts_margin || !score.exact) return score.text.replace("-", "−").replace(" ", "");
  const letter = score.points > 0 ? "W" : score.points < 0 ? "L" : "D";
  return letter + (score.plies && score.points !== 0 ? movesToWin(score.plies) : "");
}

/** A large number with a unit: `1.2 M`. */
export function formatNumber(number) {
  for (const [size, unit] of [[1e9, "G"], [1e6, "M"], [1e3, "k"]]) {
    if (number >= size) return `${(number / size).toFixed(1)} ${unit}`;
  }
  return String(number);
}
