import { setTimeout as delay } from 'node:timers/promises';

/** The longest pause after a part, milliseconds. */
const PAUSE_MAX_MS = 50;

/** Resolves when the last part that a stream has asked for is generated and the pause after it is over. Then the next part may follow. */
let turn: Promise<unknown> = Promise.resolve();

/**
 * Streams generated text or bytes as a response body, as fast as the client reads it. The generator stops when the client disconnects.
 * API requests of the same process have to wait while a part is generated. So only one part is generated at a time, and after each part
 * there is a pause of the same length, but of at most 50 ms. All streams together thus use about
 * half of the process's time, and more only while parts take longer than 50 ms.
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
