// Sounds of wood on wood, made by the page itself.

import { storage } from "./storage.js";

/**
 * The tones of each sound: their start and length in seconds, frequency in Hz, and loudness.
 * @type {Record<"move" | "capture" | "end", [number, number, number, number][]>}
 */
const SOUNDS = {
  move: [[0, 0.07, 420, 0.5]],
  capture: [[0, 0.07, 420, 0.5], [0.07, 0.09, 300, 0.5]],
  end: [[0, 0.25, 392, 0.35], [0.16, 0.3, 523, 0.35], [0.32, 0.45, 659, 0.35]],
};

/** @type {AudioContext | undefined} */
let context;

export const hasSound = () => storage.read("sound", false);
/** @param {boolean} isOn */
export const setSound = (isOn) => storage.write("sound", isOn);

/** Plays a sound, if the user has turned them on. @param {keyof typeof SOUNDS} name */
export function playSound(name) {
  if (!hasSound()) return;
  context ??= new AudioContext();
  for (const [start, length, frequency, loudness] of SOUNDS[name]) {
    const [tone, gain, begin] = [context.createOscillator(), context.createGain(), context.currentTime + start];
    tone.type = "triangle";
    tone.frequency.setValueAtTime(frequency, begin);
    tone.frequency.exponentialRampToValueAtTime(frequency * 0.7, begin + length);
    gain.gain.setValueAtTime(loudness, begin);
    gain.gain.exponentialRampToValueAtTime(0.001, begin + length);
    tone.connect(gain).connect(context.destination);
    tone.start(begin);
    tone.stop(begin + length);
  }
}
