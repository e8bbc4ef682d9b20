// Why a request has no answer.

/** A failure to get an answer. `reason` is the key of its text, and `values` fill the text. */
export class TransportError extends Error {
  /**
   * @param {"noResponse" | "connectionLost" | "badStatus" | "engineFailed" | "notKept"} reason
   * @param {Record<string, number | string>} [values]
   */
  constructor(reason, values = {}) {
    super(reason);
    this.reason = reason;
    this.values = values;
  }
}
