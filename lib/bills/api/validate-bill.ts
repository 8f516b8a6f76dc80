import { type KeyAccess, may } from '@/lib/accounts/access/grant-access';
import { limitFailure, referenceFailure } from '@/lib/bills/create/refusals';
import type { NewBill } from '@/lib/bills/schema';
import { hasUniqueReference } from '@/lib/bills/store';
import { eastAfricanDay } from '@/lib/core/east-african-day';
import type { Failure } from '@/lib/core/failure';
import { formatApiAmount } from '@/lib/core/money';
import { WALLETS } from '@/lib/core/network';
import { fail, ok, type Result } from '@/lib/core/result';
import { listKeyDays } from '@/lib/keys/day-store';
import type { StoredKey } from '@/lib/keys/rules';
import { forecastPrompt, type PromptForecast } from '@/lib/payments/prompts/forecast-prompt';
import type { Runtime } from '@/lib/runtime/runtime';
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
