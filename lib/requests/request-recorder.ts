import { SECOND_MS } from '@/lib/core/clock';
import type { Scope } from '@/lib/core/scope';
import { recorder } from '@/lib/metrics/recorder';
import type { Runtime } from '@/lib/runtime/runtime';
import { requestRow } from './request-row';
import { insertRequests } from './request-store';
import { type AnsweredRequest, BODY_MAX, PER_SECOND, type RequestKind, WAITING_BYTES_MAX, WAITING_MAX } from './rules';

/** Collects requests for the request log in memory, and writes them once a second. Each web process has one. */
export interface RequestRecorder {
  /** Returns whether a request of this kind may still be recorded in this second. If so, counts the request. */
  accepts(scope: Scope, kind: RequestKind): boolean;
  add(request: AnsweredRequest): void;
  /** Writes all requests that wait. */
  flush(): Promise<void>;
}

export function createRequestRecorder({ db, random, log }: Pick<Runtime, 'db' | 'random' | 'log'>): RequestRecorder {
  let second = 0;
  const counts = new Map<string, number>();
  let waiting: AnsweredRequest[] = [];
  let bytes = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const batch = waiting;
    waiting = [];
    bytes = 0;
    if (batch.length === 0) return;
    try {
      await insertRequests(
        db,
        batch.map((request) => requestRow(request, random)),
      );
    } catch (error) {
      // The requests are dropped: the log may have gaps, but it must not fill the memory while the database is unavailable.
      recorder()?.requestsNotLogged('database', batch.length);
      log.warn({ err: error, requests: batch.length }, 'could not write the request log');
    }
  }

  function flush(): Promise<void> {
    writing = writing.then(write);
    return writing;
  }

  return {
    accepts({ merchantId, environment }, kind) {
      const now = Math.floor(performance.now() / SECOND_MS);
      if (now !== second) {
        second = now;
        counts.clear();
      }
      const name = `${kind} ${environment} ${merchantId}`;
      const count = counts.get(name) ?? 0;
      if (count >= PER_SECOND[kind]) {
        recorder()?.requestsNotLogged('rate', 1);
        return false;
      }
      counts.set(name, count + 1);
      return true;
    },
    add(request) {
      if (waiting.length >= WAITING_MAX || bytes >= WAITING_BYTES_MAX) {
        recorder()?.requestsNotLogged('memory', 1);
        return;
      }
      const { body } = request;
      // A view of the first bytes would keep the whole body in memory, so they are copied.
      const kept = body && body.length > BODY_MAX ? new Uint8Array(body.subarray(0, BODY_MAX + 1)) : body;
      waiting.push({ ...request, body: kept });
      bytes += (kept?.length ?? 0) + request.answer.length;
      timer ??= setTimeout(() => void flush(), SECOND_MS).unref();
    },
    flush,
  };
}
