import { setPriority } from 'node:os';
import autocannon from 'autocannon';
import { z } from 'zod';

/** What the benchmark instructs this process to send. */
const orderSchema = z.object({
  url: z.string(),
  connections: z.number(),
  seconds: z.number(),
  requests: z.array(
    z.object({ method: z.enum(['GET', 'POST']), path: z.string(), headers: z.record(z.string(), z.string()), body: z.string().optional() }),
  ),
});
export type FloodOrder = z.infer<typeof orderSchema>;

/** The result of the flood. */
export interface FloodReport {
  readonly answers: number;
  readonly refused: number;
  readonly failed: number;
}

// A real flood comes from other machines, so this process must not take processor time from the server.
setPriority(19);

const { url, connections, seconds, requests } = orderSchema.parse(JSON.parse(process.env.FLOOD ?? ''));
let answers = 0;
let refused = 0;
const { errors } = await new Promise<autocannon.Result>((resolve, reject) => {
  const load = autocannon({ url, connections, duration: seconds, requests, timeout: 30 }, (error, result) =>
    error ? reject(error) : resolve(result),
  );
  load.on('response', (_client, status) => {
    answers += 1;
    if (status === 429 || status === 503) refused += 1;
  });
});
const report: FloodReport = { answers, refused, failed: errors };
process.stdout.write(`${JSON.stringify(report)}\n`);
