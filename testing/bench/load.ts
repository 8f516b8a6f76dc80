import autocannon from 'autocannon';

export interface Load {
  /** The origin of the server. */
  readonly url: string;
  readonly requests: readonly autocannon.Request[];
  /** Whether `[<id>]` in a request is replaced by a unique value. */
  readonly distinct: boolean;
  readonly connections: number;
  readonly seconds: number;
}

export interface Measured {
  readonly count: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

/** Keeps all connections busy for some seconds. Throws if an answer is not 2xx, or if a request gets none. */
export async function runLoad({ url, requests, distinct, connections, seconds }: Load): Promise<Measured> {
  const times: number[] = [];
  let firstBad: string | undefined;
  const started = performance.now();
  let last = started;
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const instance = autocannon(
      {
        url,
        connections,
        duration: seconds,
        idReplacement: distinct,
        requests: [...requests],
        setupClient: (client) => watchBodies(client),
      },
      (error, value) => (error ? reject(error) : resolve(value)),
    );
    instance.on('response', (client, status, _bytes, ms) => {
      times.push(ms);
      last = performance.now();
      if (status >= 200 && status < 300) return;
      firstBad ??= `${status} ${bodies.get(client) ?? ''}`;
      instance.stop?.();
    });
  });
  if (firstBad !== undefined) throw new Error(`${url}: an answer was not 2xx: ${firstBad}`);
  if (result.errors > 0 || times.length === 0)
    throw new Error(`${url}: ${result.errors} requests failed, ${result.timeouts} of them timed out`);
  times.sort((a, b) => a - b);
  return {
    count: times.length,
    perSecond: (times.length * 1_000) / (last - started),
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
  };
}

// The last body of each connection, so that an error message can contain the body of a wrong answer.
const bodies = new WeakMap<object, Buffer>();

function watchBodies(client: autocannon.Client): void {
  client.on('body', (body) => bodies.set(client, body));
}

export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle) - 1] ?? Number.NaN)) / 2;
}
