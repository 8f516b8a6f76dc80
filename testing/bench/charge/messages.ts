import { z } from 'zod';

/** Messages to the processes of the provider and the receiver, and their reports. Times are milliseconds since 1970. */

const reportOrder = z.strictObject({ report: z.literal(true) });
export const providerOrderSchema = z.union([z.strictObject({ callbackUrl: z.url() }), reportOrder]);
export const receiverOrderSchema = z.union([z.strictObject({ secrets: z.array(z.string()) }), reportOrder]);

/** The callbacks since the previous report. */
export const providerReportSchema = z.array(
  z.strictObject({
    reference: z.string(),
    promptedAt: z.number(),
    sentAt: z.number(),
    repliedAt: z.number(),
    /** Whether Bili's reply to the callback is the one that the provider documents. */
    asExpected: z.boolean(),
  }),
);
export type ProviderReport = z.infer<typeof providerReportSchema>;

export const receiverReportSchema = z.strictObject({
  /** The first webhook of each bill since the previous report, and when it arrived. */
  arrivals: z.array(z.tuple([z.string(), z.number()])),
  /** The number of webhooks with a wrong signature or body since the start. */
  wrong: z.number(),
  /** The number of webhooks since the start that were not the first webhook of their bill. */
  repeated: z.number(),
});
export type ReceiverReport = z.infer<typeof receiverReportSchema>;

/** Returns a number above 0 from a variable of the environment. Throws if there is none. */
export function numberFrom(name: string): number {
  const value = Number(process.env[name]);
  if (!(value > 0)) throw new Error(`${name} must be a number above 0`);
  return value;
}
