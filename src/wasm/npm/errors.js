// Errors, and the check of arguments: a wrong type is a TypeError, a number out of range a RangeError, both with the
// name of the argument.

export class MorelloError extends Error {
  name = "MorelloError";

  constructor(message, code, values = {}, cause = undefined) {
    super(message, cause && { cause });
    this.code = code;
    this.values = values;
  }

  /** Makes an error of that of the engine. */
  static of({ error, code = "other", values, cause }) {
    return new MorelloError(error, code, values, cause && MorelloError.of(cause));
  }
}

/** Describes a value in a message. */
function shown(value) {
  if (value === null) return "null";
  if (typeof value === "string") return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  if (typeof value === "object") return Array.isArray(value) ? "an array" : "an object";
  return typeof value === "function" ? "a function" : String(value);
}

export function wrongType(name, expected, value) {
  return new TypeError(`${name} must be ${expected}, not ${shown(value)}`);
}

export function checkText(name, value) {
  if (typeof value !== "string") throw wrongType(name, "a string", value);
  if (/\p{Surrogate}/u.test(value)) throw new TypeError(`${name} must be text, but it has half of a character`);
  return value;
}

export function checkTexts(name, value) {
  if (!Array.isArray(value)) throw wrongType(name, "an array of strings", value);
  return Array.from(value, (text, at) => checkText(`${name}[${at}]`, text));
}

const checkInteger = (least, most) => (name, value) => {
  if (typeof value !== "number" || Number.isNaN(value)) throw wrongType(name, "an integer", value);
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new RangeError(`${name} must be an integer from ${least} to ${most}, not ${value}`);
  }
  return value;
};

const checkTime = (most) => (name, value) => {
  if (typeof value !== "number" || Number.isNaN(value)) throw wrongType(name, "a number of milliseconds", value);
  if (!(value > 0 && value <= most)) {
    throw new RangeError(`${name} must be more than 0 and at most ${most} milliseconds, not ${value}`);
  }
  return Math.ceil(value);
};

function checkSignal(name, value) {
  if (!(value instanceof AbortSignal)) throw wrongType(name, "an AbortSignal", value);
  return value;
}

function checkFunction(name, value) {
  if (typeof value !== "function") throw wrongType(name, "a function", value);
  return value;
}

function checkAddress(name, value) {
  if (!(value instanceof URL) && typeof value !== "string") throw wrongType(name, "a URL", value);
  return value;
}

const checkLevel = checkInteger(1, 60);

const CHECKS = {
  depth: checkInteger(1, 1000),
  nodes: checkInteger(1, Number.MAX_SAFE_INTEGER),
  reviewNodes: checkInteger(1, 5_000_000),
  level: checkLevel,
  namedLevel: (name, value) => (typeof value === "string" ? value : checkLevel(name, value)),
  lines: checkInteger(1, 10),
  // A day, and what the engine takes for a move at most.
  time: checkTime(86_400_000),
  moveTime: checkTime(10_000),
  threads: checkInteger(1, 256),
  signal: checkSignal,
  onUpdate: checkFunction,
  onProgress: checkFunction,
  folder: checkAddress,
};

/**
 * Checks an object with options, and returns those that are not undefined. Unknown ones are errors, because a limit
 * with a wrong name would be none. `kinds` has the name of the check of an option that has another name.
 */
export function checkOptions(options, names, kinds = {}) {
  if (options === undefined) return {};
  if (options === null || typeof options !== "object" || Array.isArray(options)) {
    throw wrongType("options", "an object", options);
  }
  const checked = {};
  for (const [name, value] of Object.entries(options)) {
    if (!names.includes(name)) throw new TypeError(`unknown option ${shown(name)}: the options are ${names.join(", ")}`);
    if (value !== undefined) checked[name] = CHECKS[kinds[name] ?? name](`options.${name}`, value);
  }
  return checked;
}
