import { z } from 'zod';
import { mobileSchema } from '@/lib/bills/schema';
import type { FailureCode } from '@/lib/core/failure';
import { REASON_MAX } from '@/lib/core/text';

const reasonInvalid = { error: 'reason_invalid' satisfies FailureCode };

/** The body of a request that closes or reopens a bill. */
export const reasonBody = z.object({
  reason: z
    .string(reasonInvalid)
    .max(REASON_MAX, reasonInvalid)
    .nullish()
    .meta({ description: 'Why, for the history of the bill in the dashboard.' }),
});

/** The body of a request that sends a payment request. */
export const pushBody = z.object({
  mobile: mobileSchema.meta({ description: 'The number to ask, as when a bill is created. Without it, the number of the bill.' }),
});
