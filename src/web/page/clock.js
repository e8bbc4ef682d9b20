// The clock of a game: the time of both sides, with an increment for each move. It starts with the first move.

import { SIDES, changed, state } from "./state.js";

/** @import { ClockRecord, Side } from "./types.d.ts" */

/** How often the time is shown, in milliseconds. */
const TICK = 100;
/** The shares of its remaining time and of the increment that an engine spends on a move. */
const ENGINE_SHARE = [1 / 25, 0.8];
/** What an engine keeps for the way of its move to the page, in milliseconds. */
const ENGINE_RESERVE = 300;

export class Clock {
  /** @param {ClockRecord} kept */
  constructor({ base, increment, left = { black: base * 1000, white: base * 1000 } }) {
    this.base = base;
    this.increment = increment;
    this.left = { ...left };
    /** The side whose time runs. @type {Side | undefined} */
    this.side = undefined;
    this.since = 0;
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.timer = undefined;
  }

  /** What is kept with the game. */
  settings() {
    const left = { black: this.time("black"), white: this.time("white") };
    return { base: this.base, increment: this.increment, left };
  }

  /** The milliseconds that a side has left. @param {Side} side */
  time(side) {
    const used = side === this.side ? performance.now() - this.since : 0;
    return Math.max(0, this.left[side] - used);
  }

  /** A side has moved. It gets its increment if its time ran. @param {Side} side */
  moved(side) {
    if (side === this.side) this.left[side] += this.increment * 1000;
  }

  /** Lets the time of a side run, or of none. @param {Side | undefined} side */
  run(side) {
    if (side === this.side) return;
    this.stop();
    if (!side) return;
    this.side = side;
    this.since = performance.now();
    this.timer = setInterval(() => this.tick(), TICK);
    changed("clock");
  }

  stop() {
    clearInterval(this.timer);
    for (const side of SIDES) this.left[side] = this.time(side);
    this.side = undefined;
    changed("clock");
  }

  tick() {
    const { side } = this;
    if (!side) return;
    if (this.time(side) > 0) {
      changed("clock");
      return;
    }
    this.stop();
    flagged(side);
  }

  /** The time that an engine may use for its next move, in milliseconds. @param {Side} side */
  moveTime(side) {
    const [share, extra] = ENGINE_SHARE;
    const left = this.time(side) - ENGINE_RESERVE;
    return Math.max(10, Math.round(Math.min(left, left * share + this.increment * 1000 * extra)));
  }
}

/** Called with the side whose time has run out. @type {(side: Side) => void} */
let flagged = () => {};
/** @param {(side: Side) => void} work */
export const onFlag = (work) => { flagged = work; };

/** Gives the game a clock, or none. @param {ClockRecord | null} [kept] */
export function setClock(kept) {
  state.clock?.stop();
  state.clock = kept ? new Clock(kept) : null;
}

/** A time as people read it: `4:07`, and the last seconds with a decimal, `9.3`. @param {number} time */
export function clockText(time) {
  if (time < 10000) return (Math.ceil(time / 100) / 10).toFixed(1);
  const seconds = Math.ceil(time / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
