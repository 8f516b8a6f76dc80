/** The steps of a call, in order: resolving the name, connecting, TLS, waiting for the response headers, reading the body. */
export type Stage = 'name' | 'connect' | 'tls' | 'answer' | 'body';

/** The address of a call and the duration of its steps in whole milliseconds; null for a step that did not run or did not end. */
export interface CallTrace {
  /** The connected address, or the last one that was tried. */
  readonly address: string | null;
  readonly dnsMs: number | null;
  readonly connectMs: number | null;
  readonly tlsMs: number | null;
  /** The time from the established connection to the response headers. */
  readonly firstByteMs: number | null;
  readonly totalMs: number;
}

/** Measures the steps of one call. Each step begins when the previous one ends. */
export class Stopwatch {
  readonly #startedAt = performance.now();
  readonly #took = new Map<Stage, number>();
  #stage: Stage | null = null;
  #since = this.#startedAt;
  address: string | null = null;

  /** The current step; null before the first one. */
  get stage(): Stage | null {
    return this.#stage;
  }

  /** Ends the current step and begins the given one. Does nothing if the given step is the current one. */
  enter(stage: Stage): void {
    if (stage === this.#stage) return;
    const now = performance.now();
    if (this.#stage) this.#took.set(this.#stage, now - this.#since);
    this.#stage = stage;
    this.#since = now;
  }

  /** Ends the current step without recording its duration. */
  discard(): void {
    this.#stage = null;
  }

  /** Returns the durations so far, rounded down, so that the sum of the steps never exceeds the total. */
  read(): CallTrace {
    const took = (stage: Stage) => {
      const ms = this.#took.get(stage);
      return ms === undefined ? null : Math.floor(ms);
    };
    return {
      address: this.address,
      dnsMs: took('name'),
      connectMs: took('connect'),
      tlsMs: took('tls'),
      firstByteMs: took('answer'),
      totalMs: Math.floor(performance.now() - this.#startedAt),
    };
  }
}
