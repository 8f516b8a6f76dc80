import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { PROJECT_ROOT } from '@/lib/platform/config/project-root';

const json = z.record(z.string(), z.unknown());

/** A fault that the proxy between the SDK and the server applies to a request. */
const faultSchema = z.union([
  z.enum(['lose the answer', 'break the connection']),
  z.strictObject({ status: z.int(), headers: z.record(z.string(), z.string()).default({}), body: z.string() }),
]);

const stepSchema = z.strictObject({
  do: z.string(),
  args: json,
  /** The JSON members that the result must have. It may have others. */
  expect: json.optional(),
  /** The JSON members that the error must have. If this is missing, the step must succeed. */
  fails: json.optional(),
  /** The result must be a list that contains this item. With `in`, the list is the JSON member of the result with this name. */
  contains: z.strictObject({ in: z.string().optional(), item: json }).optional(),
  /** The minimum duration of the step, milliseconds. */
  takesMs: z.int().optional(),
  /** The name under which later steps find the result. */
  save: z.string().optional(),
});

const caseSchema = z.strictObject({
  name: z.string(),
  /** Options of the client, in addition to the usual ones. */
  client: json.default({}),
  proxy: z.array(faultSchema).default([]),
  steps: z.array(stepSchema).min(1),
  /** Two values that must differ. */
  differ: z.tuple([z.string(), z.string()]).optional(),
  /** The requests that the server must have received, each with these JSON members. */
  seen: z.array(json).optional(),
});

export type Fault = z.infer<typeof faultSchema>;
export type Step = z.infer<typeof stepSchema>;
export type Case = z.infer<typeof caseSchema>;

export const CONFORMANCE = join(PROJECT_ROOT, 'kits', 'conformance');

export function readCases(): Case[] {
  return z.array(caseSchema).parse(JSON.parse(readFileSync(join(CONFORMANCE, 'cases.json'), 'utf8')));
}

/** Returns the cases of a command that reads what people type, as pairs of the text and the expected result. */
export function typedCases(command: 'readMobile' | 'readShillings'): [text: string, expected: Readonly<Record<string, unknown>>][] {
  const steps = readCases().flatMap((one) => one.steps.filter((step) => step.do === command));
  return steps.map(({ args, expect = {} }) => [z.string().parse(args.text), expect]);
}
