interface FairLineOptions {
  /** How many pieces of work run at once. */
  readonly concurrency: number;
  /** How many wait at most, of one subject and of all. */
  readonly waitingOfOne: number;
  readonly waiting: number;
  /** How long one waits at most, milliseconds. */
  readonly waitMs: number;
}

/** Lets a few pieces of work run at once; the others wait, and subjects take turns, so that one who floods only delays itself. */
export interface FairLine {
  /**
   * @param work may give its place back before it ends, when it only waits for other work.
   * @returns what `work` gave; undefined when the line was too long, or the wait.
   */
  run<Value>(subject: string, work: (leave: () => void) => Promise<Value>): Promise<Value | undefined>;
}

type Call = (turn: boolean) => void;

export function createFairLine({ concurrency, waitingOfOne, waiting: waitingMax, waitMs }: FairLineOptions): FairLine {
  /** Who waits, by subject; the subject at the front is next. */
  const lines = new Map<string, Set<Call>>();
  let running = 0;
  let waiting = 0;

  function callNext(): void {
    for (const [subject, line] of lines) {
      for (const call of line) {
        leave(subject, line, call);
        // To the back, so that everybody else's turn comes first.
        if (lines.delete(subject)) lines.set(subject, line);
        call(true);
        return;
      }
    }
    running -= 1;
  }

  function leave(subject: string, line: Set<Call>, call: Call): void {
    line.delete(call);
    waiting -= 1;
    if (line.size === 0) lines.delete(subject);
  }

  function wait(subject: string): Promise<boolean> {
    const line = lines.get(subject) ?? new Set<Call>();
    if (waiting >= waitingMax || line.size >= waitingOfOne) return Promise.resolve(false);
    lines.set(subject, line);
    waiting += 1;
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        leave(subject, line, call);
        resolve(false);
      }, waitMs);
      const call = (turn: boolean) => {
        clearTimeout(timer);
        resolve(turn);
      };
      line.add(call);
    });
  }

  return {
    async run(subject, work) {
      if (running < concurrency) running += 1;
      else if (!(await wait(subject))) return undefined;
      let inside = true;
      const leave = () => {
        if (inside) callNext();
        inside = false;
      };
      try {
        return await work(leave);
      } finally {
        leave();
      }
    },
  };
}
