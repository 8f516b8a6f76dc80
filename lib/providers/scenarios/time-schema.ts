import { z } from 'zod';
import { addMs, MINUTE_MS } from '@/lib/platform/core/clock';
import type { FailureCode } from '@/lib/platform/core/failure';
import { lowestId } from '@/lib/platform/core/ids';
import { JsonNumber } from '@/lib/platform/core/json-number';

/** 400 days. */
export const ADVANCE_MAX_SECONDS = 400 * 86_400;
/** By how much the dashboard can bring everything forward, seconds: a minute, an hour, a day, 7 and 30 days. */
export const ADVANCE_CHOICES = [60, 3_600, 86_400, 7 * 86_400, 30 * 86_400] as const;
/** How long simulated delays can take, in percent of the usual time. */
export const DELAY_PERCENTS = [1, 10, 50, 100] as const;
const DELAYS: readonly number[] = DELAY_PERCENTS;

/** The body of a request that controls the time of a sandbox. */
export const timeBody = z.object({
  advanceSeconds: z
    .instanceof(JsonNumber, { error: 'advance_invalid' })
    .transform(({ text }) => Number(text))
    .refine((seconds) => Number.isInteger(seconds) && seconds >= 1 && seconds <= ADVANCE_MAX_SECONDS, { error: 'advance_invalid' })
    .meta({
      type: 'integer',
      minimum: 1,
      maximum: ADVANCE_MAX_SECONDS,
      description: 'How much sooner everything happens that is still to come, seconds.',
    })
    .optional(),
  delayPercent: z
    .instanceof(JsonNumber, { error: 'delay_invalid' })
    .transform(({ text }) => Number(text))
    .refine((percent) => DELAYS.includes(percent), { error: 'delay_invalid' })
    .meta({
      type: 'integer',
      enum: [...DELAY_PERCENTS],
      description:
        'How long simulated phones, and the pauses before a webhook is repeated, take from now on, in percent of the usual time.',
    })
    .optional(),
  after: z
    .string({ error: 'after_invalid' })
    .transform((text, context) => {
      const position = parsePosition(text);
      if (position) return position;
      context.addIssue({ code: 'custom', message: 'after_invalid' satisfies FailureCode });
      return z.NEVER;
    })
    .meta({ description: 'The `cursor` of an earlier answer, to move what that request left. Keep `advanceSeconds` the same.' })
    .optional(),
});

const count = (of: string) =>
  z
    .int()
    .min(0)
    .meta({ description: `How many ${of} it affected.` });

export const timeSchema = z.object({
  delayPercent: z.int().meta({ description: 'The delays that apply now.' }),
  moved: z.object({
    bills: count('open bills with an expiry or a due date'),
    paymentRequests: count('payment requests whose phone has not finished'),
    webhooks: count('webhooks that wait for another attempt'),
  }),
  more: z.boolean().meta({ description: 'Whether there may be more to move.' }),
  cursor: z.string().nullable().meta({ description: 'Continue with this value of `after`. Null if everything has moved.' }),
});
export type SandboxTime = z.output<typeof timeSchema>;

export const TIME_EXAMPLE: SandboxTime = {
  delayPercent: 10,
  moved: { bills: 1, paymentRequests: 0, webhooks: 0 },
  more: false,
  cursor: null,
};

/** The kinds of rows whose times a change of sandbox time makes earlier, in this order. */
const KINDS = ['paymentRequests', 'bills', 'webhooks'] as const;
type MovedKind = (typeof KINDS)[number];

/** The position at which the next call continues to move the times of a sandbox. */
export interface TimePosition {
  readonly kind: MovedKind;
  readonly at: Date;
  readonly id: string;
}

const CURSOR = /^([012])\.(\d{1,15})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
const LOWEST_ID = '00000000-0000-0000-0000-000000000000';
const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Everything that a simulated phone does with a prompt happens within this time. */
const PROMPTS_MS = 10 * MINUTE_MS;

/** Returns the lowest id of an attempt whose simulated phone may not have finished. */
export function oldestPrompt(now: Date): string {
  return lowestId(addMs(now, -PROMPTS_MS).getTime());
}

/** Returns the position at which the first call starts to move the times of a sandbox. */
export function firstPosition(now: Date): TimePosition {
  return { kind: 'paymentRequests', at: now, id: oldestPrompt(now) };
}

/** Returns the position before the first row of the next kind; null after the last kind. */
export function nextKind({ kind }: TimePosition, now: Date): TimePosition | null {
  const next = KINDS[KINDS.indexOf(kind) + 1];
  return next ? { kind: next, at: now, id: next === 'bills' ? HIGHEST_ID : LOWEST_ID } : null;
}

export function formatPosition({ kind, at, id }: TimePosition): string {
  return `${KINDS.indexOf(kind)}.${at.getTime()}.${id}`;
}

/** @returns null for a text that `formatPosition` did not make. */
export function parsePosition(text: string): TimePosition | null {
  const [, number = '', at = '', id = ''] = CURSOR.exec(text) ?? [];
  const kind = number === '' ? undefined : KINDS[Number(number)];
  return kind ? { kind, at: new Date(Number(at)), id } : null;
}
