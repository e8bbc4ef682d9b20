// A program of a user: the compiler checks it, and that what is marked is wrong.

import {
  MorelloError, Position, choose, close, configure, games, review, search, solve,
  type GameInfo, type GameRecord, type Review, type SearchOptions, type SearchResult, type Side, type Solution,
} from "morello";

configure({ threads: 2, folder: new URL("https://example.org/engine/") });

const position: Position = await Position.start("othello");
const side: Side = position.side;
const next: Position = position.play(position.moves[0] ?? "pass");
const before: Position | null = next.previous;
const winner: Side | null | undefined = next.result?.winner;
const record: GameRecord = JSON.parse(JSON.stringify(next));
const again = await Position.from(record);
const text: string = `${again}` + again.format("pgn", { black: "A", event: "Cup" });

const options: SearchOptions = { depth: 10, lines: 2, signal: AbortSignal.timeout(1000) };
const found: SearchResult = await search(again, { ...options, onUpdate: ({ lines }) => console.log(lines[0]?.moves) });
const best: string | null = found.best;
const solution: Solution = await solve(text, { time: 1000 });
const isExact: true = solution.exact;
const outcome: "win" | "draw" | "loss" = solution.outcome;
const chosen: string | null = await choose(record, { level: "casual" });
const { rows, summary }: Review = await review(again, { level: 4, onProgress: ({ row, plies }) => console.log(row.ply / plies) });
const accuracy: number | null | undefined = summary?.black.accuracy;
const list: readonly GameInfo[] = await games();
await close();

try {
  position.play("a1");
} catch (error) {
  if (error instanceof MorelloError) console.log(error.code, error.values["text"]);
}

// @ts-expect-error positions are made by functions
new Position();
// @ts-expect-error a position never changes
position.side = "white";
// @ts-expect-error the moves of a position never change
position.moves.push("a1");
// @ts-expect-error there is no such limit
await search(position, { dept: 3 });
// @ts-expect-error a number is not a position
await solve(5);

console.log(side, before, winner, best, isExact, outcome, chosen, rows, accuracy, list);
