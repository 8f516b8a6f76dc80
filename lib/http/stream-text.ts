import { setTimeout as delay } from 'node:timers/promises';

/** The longest pause after a part, milliseconds. */
const PAUSE_MAX_MS = 50;

/** Resolves when the next part may be generated, of whichever stream. All streams of the process take turns. */
let turn: Promise<unknown> = Promise.resolve();

/**
 * Streams generated text or bytes as a response body, as fast as the client reads it. The generator stops when the client disconnects.
 * All streams of the process together use at most about half of its time, because API requests of the same process wait while a part is
 * generated: one part is generated at a time, and the next one starts after a pause as long as the part took, but at most 50 ms.
 */
export function streamText(parts: AsyncGenerator<string | Uint8Array>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await inTurn(() => parts.next());
      if (done) controller.close();
      else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value);
    },
    async cancel() {
      await parts.return(undefined);
    },
  });
}

async function inTurn<T>(generate: () => Promise<T>): Promise<T> {
  const before = turn;
  let end: (() => void) | undefined;
  turn = new Promise<void>((resolve) => {
    end = resolve;
  });
  await before;
  const started = performance.now();
  try {
    return await generate();
  } finally {
    void delay(Math.min(performance.now() - started, PAUSE_MAX_MS)).then(end);
  }
}
