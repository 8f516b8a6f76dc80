import { Readable } from 'node:stream';

/** Converts to a stream of the web, which pulls, so that a slow reader slows the source down. */
export function toWeb(source: Readable): ReadableStream<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(new Uint8Array(value));
    },
    async cancel(reason) {
      source.destroy(reason instanceof Error ? reason : undefined);
    },
  });
}

/** Converts from a stream of the web, chunk by chunk. */
export function fromWeb(stream: ReadableStream<Uint8Array>): Readable {
  async function* chunks() {
    const reader = stream.getReader();
    try {
      for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
    } finally {
      await reader.cancel().catch(() => undefined);
    }
  }
  return Readable.from(chunks(), { objectMode: false });
}
