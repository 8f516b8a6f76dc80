import type pg from 'pg';

/** How long the pool stays smaller after the server refused a connection, milliseconds. */
const GROW_AFTER_MS = 500;

/** Makes a pool of database sessions smaller while the database server has too few connections for all processes. */
export class ConnectionShortage {
  readonly #pool: pg.Pool;
  readonly #size: number;
  /** When the pool may grow again, on the clock of performance.now(). */
  #growsAt = 0;

  /** @param size the configured maximum number of sessions. */
  constructor(pool: pg.Pool, size: number) {
    this.#pool = pool;
    this.#size = size;
  }

  /** Restores the size of the pool if enough time has passed since the last refused connection. */
  relax(): void {
    if (performance.now() >= this.#growsAt) this.#pool.options.max = this.#size;
  }

  /**
   * Closes one open session and limits the pool to the remaining ones, so that a process without any session can connect.
   * @param open the number of open sessions. The last one is never closed.
   * @returns false, without any change, if the pool has been made smaller a moment ago.
   */
  shrink(open: number): boolean {
    // If several requests find at the same time that the server has no connection left, only one idle session is closed.
    if (performance.now() < this.#growsAt) return false;
    this.#growsAt = performance.now() + GROW_AFTER_MS;
    this.#pool.options.max = Math.max(open - 1, 1);
    if (open > 1) this.#pool.connect((_error, session) => session?.release(true));
    return true;
  }
}
