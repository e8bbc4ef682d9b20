// The motion of the men: discs turn over, men slide, fall and leave. The board always shows the final position; what
// moves are copies above it, so that the next position can be shown at any time.

import { UNIT } from "./board-look.js";

/** @import { Look, Pieces, Place, Side } from "./types.d.ts" */

/** The time between two discs that turn over one after the other, in milliseconds. */
const STEP = 38;
const TURN = 200;
const EASE = "cubic-bezier(.3,.7,.3,1)";

/**
 * The points whose men differ.
 * @param {Pieces} before @param {Pieces} after
 */
export function differences(before, after) {
  if (before.length !== after.length) return [];
  return [...after.keys()].filter((at) => before[at] !== after[at]);
}

/**
 * The man that moved, if one did: a side lost one point and has another.
 * @param {Pieces} before @param {Pieces} after @param {number[]} changes
 */
export function slide(before, after, changes) {
  for (const to of changes) {
    if (before[to] || !after[to]) continue;
    const from = changes.find((at) => !after[at] && before[at] === after[to]);
    if (from !== undefined) return { from, to };
  }
  return undefined;
}

export class Motion {
  /** @param {Look} look */
  constructor(look) {
    this.look = look;
    /** @type {Map<Animation, (() => void) | undefined>} what is running, and what to do in the end */
    this.running = new Map();
  }

  /** Ends all motion at once. */
  finish() {
    for (const [animation, done] of this.running) {
      animation.cancel();
      done?.();
    }
    this.running.clear();
  }

  /**
   * Animates an element, and calls `done` when it has ended.
   * @param {Element} element @param {Keyframe[]} steps @param {KeyframeAnimationOptions} timing
   * @param {() => void} [done]
   */
  run(element, steps, timing, done) {
    const animation = element.animate(steps, timing);
    this.running.set(animation, done);
    animation.onfinish = () => {
      this.running.delete(animation);
      done?.();
    };
  }

  /**
   * Moves a copy of a man, which is removed in the end.
   * @param {Side} side @param {number} at @param {Keyframe[]} steps @param {KeyframeAnimationOptions} timing
   */
  fly(side, at, steps, timing) {
    const { group, man } = this.look.copy(side, this.look.places[at]);
    this.run(man, steps, { fill: "both", ...timing }, () => group.remove());
  }

  /**
   * Animates the changes between two positions.
   * @param {Pieces} before @param {Pieces} after
   * @param {number[]} changes
   * @param {{ origin?: number, dropped?: number, men: (SVGElement | undefined)[] }} options `origin`, the point where
   * the move began; `dropped`, a point whose man was put there by hand; `men`, the elements of the men
   */
  play(before, after, changes, { origin, dropped, men }) {
    const moved = slide(before, after, changes);
    const start = origin ?? changes.find((at) => !before[at]) ?? changes[0];
    for (const at of changes) {
      const [was, is, man] = [before[at], after[at], men[at]];
      if (was && is && man) this.turn(was, at, start, man);
      else if (is && man && at === moved?.to) {
        if (at !== dropped) this.glide(is, moved.from, at, man);
      } else if (is && man) {
        if (at !== dropped) this.drop(man);
      } else if (was && at !== moved?.from) this.leave(was, at);
    }
  }

  /**
   * A disc turns over: it narrows to a line, and widens again showing its other side.
   * @param {Side} was @param {number} at @param {number} start @param {SVGElement} man
   */
  turn(was, at, start, man) {
    const [here, there] = [this.look.places[at], this.look.places[start]];
    const distance = Math.max(Math.abs(here.x - there.x), Math.abs(here.y - there.y)) / UNIT;
    const delay = Math.min(Math.max(0, distance - 1), 6) * STEP;
    const [flat, upright] = [{ transform: "none" }, { transform: "scale(.04, 1.09)" }];
    this.fly(was, at, [flat, upright], { duration: TURN / 2, delay, easing: "ease-in" });
    const later = { delay: delay + TURN / 2, easing: "ease-out", fill: /** @type {FillMode} */ ("backwards") };
    this.run(man, [upright, flat], { duration: TURN / 2, ...later });
  }

  /**
   * A man slides, lifted a little, above all others.
   * @param {Side} side @param {number} from @param {number} at @param {SVGElement} man
   */
  glide(side, from, at, man) {
    const [start, end] = [this.look.places[from], this.look.places[at]];
    const [dx, dy] = [start.x - end.x, start.y - end.y];
    const duration = 190 + Math.min(90, Math.hypot(dx, dy) / 6);
    const middle = { transform: `translate(${dx * 0.42}px, ${dy * 0.42 - 5}px) scale(1.1)`, offset: 0.4 };
    const steps = [{ transform: `translate(${dx}px, ${dy}px)` }, middle, { transform: "none" }];
    this.fly(side, at, steps, { duration, easing: EASE });
    this.run(man, [{ opacity: 0 }, { opacity: 0 }], { duration });
  }

  /** A man falls onto its point. @param {SVGElement} man */
  drop(man) {
    const steps = [
      { transform: "translate(0, -16px) scale(1.22)", opacity: 0 }, { opacity: 1, offset: 0.4 },
      { transform: "none", opacity: 1 },
    ];
    this.run(man, steps, { duration: 170, easing: "cubic-bezier(.4,.1,.5,1)" });
  }

  /** A captured man goes over the nearest edge. @param {Side} was @param {number} at */
  leave(was, at) {
    const { ground, places } = this.look;
    const [middle, edge] = [ground.x + ground.width / 2, ground.width / 2];
    const side = places[at].x < middle ? -1 : 1;
    const way = side * Math.min(190, edge - Math.abs(places[at].x - middle) + 90);
    const stay = { opacity: 1, transform: "none" };
    const lifted = { opacity: 1, transform: "translate(0, -8px) scale(1.12)", offset: 0.25 };
    const away = { opacity: 0, transform: `translate(${way}px, 24px) scale(.55)` };
    this.fly(was, at, [stay, lifted, away], { duration: 430, easing: "ease-in" });
  }

  /**
   * A man goes back to its point from where the pointer has left it.
   * @param {Side} side @param {number} at @param {Place} from @param {() => void} done
   */
  back(side, at, from, done) {
    const { x, y } = this.look.places[at];
    const { group, man } = this.look.copy(side, { x, y });
    const steps = [{ transform: `translate(${from.x - x}px, ${from.y - y}px) scale(1.14)` }, { transform: "none" }];
    this.run(man, steps, { duration: 170, easing: EASE }, () => {
      group.remove();
      done();
    });
  }
}
