import type { Worker } from 'node:cluster';
import { z } from 'zod';
import { SECOND_MS } from '@/lib/platform/core/clock';
import type { Log } from '@/lib/platform/log/log';
import type { CollectedMetrics } from '@/lib/platform/metrics/process-metrics';

/** The time limit for the answer of a process. Its database queries take at most two seconds. */
const ANSWER_MS = 4 * SECOND_MS;

const questionSchema = z.object({ about: z.enum(['metrics', 'problem']), question: z.number() });
const answerSchema = z.object({
  answerTo: z.number(),
  metrics: z.custom<CollectedMetrics>(Array.isArray).optional(),
  problem: z.string().nullable().optional(),
});

type About = z.infer<typeof questionSchema>['about'];
type Answer = z.infer<typeof answerSchema>;

interface Answers {
  readonly collect: () => Promise<CollectedMetrics>;
  readonly findProblem: () => Promise<string | null>;
  readonly log: Log;
}

/** Answers the questions of the process that started this one. @returns a function that stops answering. */
export function answerQuestions({ collect, findProblem, log }: Answers): () => void {
  async function answer(message: unknown): Promise<void> {
    const asked = questionSchema.safeParse(message);
    if (!asked.success) return;
    const { about, question: answerTo } = asked.data;
    const content = about === 'metrics' ? { metrics: await collect() } : { problem: await findProblem() };
    process.send?.({ answerTo, ...content });
  }
  const listen = (message: unknown) =>
    void answer(message).catch((error: unknown) => log.error({ err: error }, 'could not answer a question about metrics'));
  process.on('message', listen);
  return () => void process.off('message', listen);
}

let questions = 0;

/** Asks a process. @returns the answer; null if the process does not answer in time or exits. */
export function askProcess(worker: Worker, about: About): Promise<Answer | null> {
  questions += 1;
  const question = questions;
  return new Promise((resolve) => {
    const end = (answer: Answer | null) => {
      clearTimeout(late);
      worker.off('message', listen);
      worker.off('exit', giveUp);
      resolve(answer);
    };
    const listen = (message: unknown) => {
      const answer = answerSchema.safeParse(message);
      if (answer.success && answer.data.answerTo === question) end(answer.data);
    };
    const giveUp = () => end(null);
    const late = setTimeout(giveUp, ANSWER_MS);
    worker.on('message', listen);
    worker.once('exit', giveUp);
    worker.send({ about, question }, (error) => error && giveUp());
  });
}
