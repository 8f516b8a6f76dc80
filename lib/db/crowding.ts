import type pg from 'pg';

/** How long a pool that could not open another session keeps to those it has before it tries again, milliseconds. */
const GROW_AFTER_MS = 500;

/** Shares the connections of a server that has too few for all processes. */
export class Crowding {
  readonly #pool: pg.Pool;
  readonly #size: number;
  /** When the pool may grow again, on performance.now()'s clock. */
  #growsAt = 0;

  /** @param size how many sessions the pool may have if the server has connections for them. */
  constructor(pool: pg.Pool, size: number) {
    this.#pool = pool;
    this.#size = size;
  }

  /** Lets the pool have its size again, if enough time has passed since it could not grow. */
  relax(): void {
    if (performance.now() >= this.#growsAt) this.#pool.options.max = this.#size;
  }

  /**
   * Keeps the pool to the sessions that are open, and closes one of several so that a process that has none gets it.
   * @param open how many sessions the pool has.
   * @returns whether the pool shrinks now, rather than having done so a moment ago.
   */
  shrink(open: number): boolean {
    // Requests that fail together close one session, not one each.
    if (performance.now() < this.#growsAt) return false;
    this.#growsAt = performance.now() + GROW_AFTER_MS;
    this.#pool.options.max = Math.max(open - 1, 1);
    if (open > 1) this.#pool.connect((_error, session) => session?.release(true));
    return true;
  }
}
