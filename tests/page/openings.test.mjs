import "./browser.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  NEW_A_DAY, addCards, allCards, cardsOf, hasCards, keepAnswer, newLeft, removeCards,
} from "../../src/web/page/cards.js";
import { answer, leaveLine, nextQuestion } from "../../src/web/page/openings.js";

const card = (position, box, game = "othello") => ({ game, position, box, due: 0, right: box, wrong: 1 - box });
const question = (position, best, isNew = true) => ({
  start: position, best, is_new: isNew, wrong: card(position, 0),
  right: Object.fromEntries(best.map((move, at) => [move, card(position, at + 1)])),
});
const NONE = { positions: 9, new: 0, learnt: 4, due: 0, next_due: null };

/** Makes the server answer with lessons, one after the other; returns the requests. */
function serve(lessons) {
  const requests = [];
  globalThis.fetch = async (path, { body }) => {
    requests.push([path, JSON.parse(body)]);
    return new Response(JSON.stringify(lessons.shift()));
  };
  return requests;
}

test("a position has a card for each right answer, in place of the one without", () => {
  removeCards();
  /** @type {(answer: string | null, right: number) => any} */
  const answered = (answer, right) => ({ ...card("a", right), ...answer && { answer }, right });
  const answer = (wrong, move, right) =>
    keepAnswer({ ...question("a", []), wrong, right: move ? { [move]: answered(move, right) } : {} }, move);
  answer(answered(null, 0), null, 0);
  answer(answered(null, 0), "f5", 1);
  answer(answered(null, 0), null, 0);
  assert.deepEqual(allCards().map(({ answer, right }) => [answer, right]), [["f5", 1], [undefined, 0]]);
  answer(answered(null, 0), "d3", 1);
  answer(answered("f5", 1), "f5", 2);
  assert.deepEqual(allCards().map(({ answer, right }) => [answer, right]), [["f5", 2], ["d3", 1]]);
});

test("the last card of a position counts, and new ones are counted by day", () => {
  removeCards();
  const noon = new Date(2026, 5, 1, 12).getTime();
  keepAnswer(question("a", ["f5", "d3"]), null, noon);
  keepAnswer(question("b", ["f5", "d3"]), "d3", noon);
  keepAnswer(question("a", ["f5"], false), "f5", noon);
  assert.deepEqual(cardsOf("othello").map(({ position, box }) => [position, box]), [["a", 1], ["b", 2]]);
  assert.deepEqual(cardsOf("morabaraba"), []);
  assert.deepEqual([newLeft(noon), newLeft(noon + 11 * 3600e3), newLeft(noon + 13 * 3600e3)],
    [NEW_A_DAY - 2, NEW_A_DAY - 2, NEW_A_DAY]);
  // A card of another place counts if it has as many answers.
  addCards([card("a", 1), { ...card("b", 4), right: 0, wrong: 0 }, card("c", 2, "morabaraba")]);
  assert.deepEqual(allCards().map(({ position, box }) => [position, box]), [["a", 1], ["b", 2], ["c", 2]]);
  assert.ok(hasCards());
  removeCards();
  assert.deepEqual([hasCards(), newLeft(noon)], [false, NEW_A_DAY]);
});

test("the questions of a line come one after the other, then those of the next line", async () => {
  removeCards();
  leaveLine();
  const source = { kind: "openings", game: "othello", side: "white", max_loss: 1, replies: "tricky", moves: ["f5"] };
  const [a, b, c] = ["a", "b", "c"].map((name) => question(name, ["f5", "d3"]));
  const requests = serve([{ ...NONE, questions: [a, b] }, { ...NONE, questions: [c, b] }, { ...NONE, questions: [] }]);
  assert.deepEqual([await nextQuestion(source), await nextQuestion(source)], [a, b]);
  answer(a, "f5");
  answer(b, null);
  assert.deepEqual(await nextQuestion(source), c);
  const [[, first], [path, second]] = requests;
  const { kind, ...settings } = source;
  assert.equal(path, "/api/lesson");
  assert.deepEqual({ ...second, now: 0 }, { ...settings, cards: cardsOf("othello"), now: 0, new: NEW_A_DAY - 2 });
  assert.deepEqual([first.cards, second.cards.length], [[], 2]);
  // Another right answer leaves the line.
  answer(c, "d3");
  await assert.rejects(nextQuestion(source), { message: "4 of 9 positions learned, none due." });
  assert.equal(requests.length, 3);
});
