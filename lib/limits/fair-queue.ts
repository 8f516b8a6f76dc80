interface FairQueueOptions {
  /** How many tasks run at the same time. */
  readonly concurrency: number;
  /** Maximum number of waiting tasks of one subject. */
  readonly waitingOfOne: number;
  /** Maximum number of waiting tasks of all subjects. */
  readonly waiting: number;
  /** Maximum time that a task waits, in milliseconds. */
  readonly waitMs: number;
}

/** Runs a limited number of tasks at the same time. Waiting subjects take turns, so that a subject with many tasks delays only itself. */
export interface FairQueue {
  /**
   * Runs a task of a subject when it is its turn.
   * @param work may call `leave` to free its slot before it ends, if it only waits for other work from then on.
   * @returns the result of `work`; undefined if the queue was full or the task waited too long.
   */
  run<Value>(subject: string, work: (leave: () => void) => Promise<Value>): Promise<Value | undefined>;
}

type Call = (turn: boolean) => void;

export function createFairQueue({ concurrency, waitingOfOne, waiting: waitingMax, waitMs }: FairQueueOptions): FairQueue {
  /** The waiting tasks by subject. The first subject is next. */
  const queues = new Map<string, Set<Call>>();
  let running = 0;
  let waiting = 0;

  function callNext(): void {
    for (const [subject, queue] of queues) {
      for (const call of queue) {
        remove(subject, queue, call);
        // Moves the subject to the end, so that all other subjects come first.
        if (queues.delete(subject)) queues.set(subject, queue);
        call(true);
        return;
      }
    }
    running -= 1;
  }

  function remove(subject: string, queue: Set<Call>, call: Call): void {
    queue.delete(call);
    waiting -= 1;
    if (queue.size === 0) queues.delete(subject);
  }

  function wait(subject: string): Promise<boolean> {
    const queue = queues.get(subject) ?? new Set<Call>();
    if (waiting >= waitingMax || queue.size >= waitingOfOne) return Promise.resolve(false);
    queues.set(subject, queue);
    waiting += 1;
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        remove(subject, queue, call);
        resolve(false);
      }, waitMs);
      const call = (turn: boolean) => {
        clearTimeout(timer);
        resolve(turn);
      };
      queue.add(call);
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
