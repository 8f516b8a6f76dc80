import { z } from 'zod';
import { moneySchema, openEnum } from '@/lib/gateway/bills/answer-schema';
import { limitFailure, referenceFailure } from '@/lib/gateway/bills/create/create-bill';
import type { NewBill } from '@/lib/gateway/bills/schema';
import { hasUniqueReference } from '@/lib/gateway/bills/store';
import { forecastPrompt, type PromptForecast } from '@/lib/gateway/prompts/forecast-prompt';
import { type KeyAccess, may } from '@/lib/identity/accounts/access/grant-access';
import { listKeyDays } from '@/lib/identity/keys/day-store';
import type { StoredKey } from '@/lib/identity/keys/rules';
import { eastAfricanDay } from '@/lib/platform/core/east-african-day';
import type { Failure } from '@/lib/platform/core/failure';
import { formatApiAmount } from '@/lib/platform/core/money';
import { NETWORKS, WALLETS } from '@/lib/platform/core/network';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { promptFailure } from './push-bill';

export const VALIDATE_FAILURES = ['reference_used', 'key_bill_limit', 'key_day_limit'] as const;

interface ValidateOptions {
  readonly bill: NewBill;
  readonly key: Pick<StoredKey, 'id' | 'firstId' | 'billMax' | 'dayMax' | 'uniqueReferences'>;
}

/**
 * Checks whether a bill could be created now. Returns what would then happen with its prompt, or null if the bill has no phone number. If
 * Bili would refuse the bill, fails with the same failure. Creates nothing and counts towards no limit.
 */
export async function validateBill(
  runtime: Pick<Runtime, 'db' | 'clock' | 'settings'>,
  access: KeyAccess,
  { bill, key }: ValidateOptions,
): Promise<Result<PromptForecast | null, Failure<(typeof VALIDATE_FAILURES)[number]>>> {
  if (!may(access, 'bills.create')) throw new Error('the route requires the scope that allows this');
  const { scope } = access;
  const { amount, mobile, reference } = bill;
  const { billMax, dayMax } = key;
  if (billMax !== null && amount > billMax) return fail(limitFailure('key_bill_limit', billMax));
  if (key.uniqueReferences && (await hasUniqueReference(runtime.db, scope, reference))) {
    return fail((await referenceFailure(runtime, scope, reference)) ?? { code: 'reference_used' });
  }
  if (dayMax !== null) {
    const today = eastAfricanDay(runtime.clock());
    const billed = (await listKeyDays(runtime.db, key, today)).at(-1)?.billed ?? 0n;
    if (billed + amount > dayMax) return fail(limitFailure('key_day_limit', dayMax));
  }
  return ok(mobile === null ? null : await forecastPrompt(runtime, scope, { amount, mobile }));
}

/** Returns the answer to the validation as JSON text. */
export function validatedJson(
  { amount, reference, mobile }: NewBill,
  prompt: PromptForecast | null,
  ignored: readonly string[],
  now: Date,
): string {
  return (
    `{"amount":${formatApiAmount(amount)},"reference":${JSON.stringify(reference)},"mobile":${JSON.stringify(mobile)}` +
    `,"prompt":${prompt === null ? 'null' : promptJson(prompt, now)},"ignored":${JSON.stringify(ignored)}}`
  );
}

function promptJson({ network, amount, promptName, problem }: PromptForecast, now: Date): string {
  const code = problem && promptFailure(problem, '', now).code;
  return (
    `{"network":"${network}","networkKnown":${network !== 'other'},"wallet":${JSON.stringify(WALLETS[network])},"amount":${formatApiAmount(amount)}` +
    `,"name":${JSON.stringify(promptName)},"problem":${JSON.stringify(code)}}`
  );
}

/** Why a payment request for the bill would fail. The route that sends payment requests answers with the same error codes. */
const PROBLEMS = ['network_not_served', 'amount_above_wallet', 'mobile_refused', 'too_many_prompts'] as const;

/** The answer to a bill that could be created, as `validatedJson` writes it. */
export const validatedSchema = z.strictObject({
  amount: moneySchema('The amount of the bill.'),
  reference: z.string().meta({ description: 'The reference of the request, unchanged.' }),
  mobile: z.string().nullable().meta({ description: 'In national form, or null if the request has no number.' }),
  prompt: z
    .strictObject({
      network: openEnum(NETWORKS).meta({ description: "The network of the number's prefix." }),
      networkKnown: z.boolean().meta({
        description:
          'Whether the prefix belongs to a network. If not, live sends no payment request to the number until the operator adds the prefix.',
      }),
      wallet: z.string().meta({ description: 'The name of its mobile money that customers know.' }),
      amount: moneySchema('What the phone would ask for, a whole number.'),
      name: z.string().nullable().meta({ description: 'The name that the phone shows as the receiver, or null if it is unknown.' }),
      problem: openEnum(PROBLEMS).meta({ description: 'Why no payment request could be sent now, or null.' }).nullable(),
    })
    .meta({ title: 'PromptForecast', description: 'The payment request that would be sent. Null if the request has no number.' })
    .nullable(),
  ignored: z.array(z.string()).meta({ description: 'The members that would be ignored, as in `Bili-Ignored`.' }),
});

export const VALIDATED_EXAMPLE: z.output<typeof validatedSchema> = {
  amount: 5000.5,
  reference: 'ORDER-1',
  mobile: '0712345001',
  prompt: { network: 'yas', networkKnown: true, wallet: 'Mixx by Yas', amount: 5001, name: 'DUKA LA MFANO', problem: null },
  ignored: [],
};
