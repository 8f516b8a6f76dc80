import { FairLine } from './fair-line';

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
   * Runs a task of a subject when the task's turn comes.
   * @param work the task. When the rest of the task only waits for other work, the task can call `leave`, so that another task can start.
   * @returns the result of `work`; undefined if the queue was full or the task waited too long.
   */
  run<Value>(subject: string, work: (leave: () => void) => Promise<Value>): Promise<Value | undefined>;
}

type Call = (turn: boolean) => void;

export function createFairQueue({ concurrency, waitingOfOne, waiting, waitMs }: FairQueueOptions): FairQueue {
  const line = new FairLine<Call>();
  let running = 0;

  function callNext(): void {
    const call = line.shift();
    if (call) call(true);
    else running -= 1;
  }

  function wait(subject: string): Promise<boolean> {
    if (line.size >= waiting || line.sizeOf(subject) >= waitingOfOne) return Promise.resolve(false);
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        line.remove(subject, call);
        resolve(false);
      }, waitMs);
      const call = (turn: boolean) => {
        clearTimeout(timer);
        resolve(turn);
      };
      line.push(subject, call);
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
