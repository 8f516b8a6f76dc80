/** The steps of a call, in their order: asking for the name, connecting, TLS, waiting for the answer's headers, reading its body. */
export type Stage = 'name' | 'connect' | 'tls' | 'answer' | 'body';

/** Where a call went and how long its steps took, whole milliseconds; null for a step that was not made or not finished. */
export interface CallTrace {
  /** The address connected to, or tried last. */
  readonly address: string | null;
  readonly dnsMs: number | null;
  readonly connectMs: number | null;
  readonly tlsMs: number | null;
  /** From the connection standing to the headers of the answer. */
  readonly firstByteMs: number | null;
  readonly totalMs: number;
}

/** Times the steps of one call; one begins where the last one ended. */
export class Stopwatch {
  readonly #startedAt = performance.now();
  readonly #took = new Map<Stage, number>();
  #stage: Stage | null = null;
  #since = this.#startedAt;
  address: string | null = null;

  /** The step that is under way; null before the first one. */
  get stage(): Stage | null {
    return this.#stage;
  }

  /** Ends the step that is under way, and begins another. */
  enter(stage: Stage): void {
    const now = performance.now();
    if (this.#stage) this.#took.set(this.#stage, now - this.#since);
    this.#stage = stage;
    this.#since = now;
  }

  /** @returns what is known by now. Rounded down, so that the steps never sum up to more than the whole. */
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
