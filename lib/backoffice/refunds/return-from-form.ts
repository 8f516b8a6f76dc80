import { HAND_SOURCES } from '@/lib/gateway/ledger/rules';
import { type ReturnRefusal, returnRefund } from '@/lib/gateway/refunds/decide-refund';
import type { MerchantAccess } from '@/lib/identity/accounts/access/grant-access';
import { eastAfricanDay } from '@/lib/platform/core/east-african-day';
import { parseDay } from '@/lib/platform/core/instant';
import { fail, type Result } from '@/lib/platform/core/result';
import { readDay } from '@/lib/platform/i18n/typed-day';
import type { Runtime, WriteRuntime } from '@/lib/platform/runtime/runtime';

interface TypedReturn {
  readonly id: string;
  /** How the customer got the money. */
  readonly how: string;
  /** The day on which the customer got it. */
  readonly day: string;
}

/** Records that a person has given money back by hand. */
export async function returnFromForm(
  runtime: WriteRuntime & Pick<Runtime, 'log'>,
  access: MerchantAccess,
  { id, how, day: typed }: TypedReturn,
): Promise<Result<null, ReturnRefusal | 'how_wrong' | 'day_wrong'>> {
  const source = HAND_SOURCES.find((one) => one === how);
  if (!source) return fail('how_wrong');
  const today = eastAfricanDay(runtime.clock());
  const day = readDay(typed, today);
  const start = day !== null && day <= today ? parseDay(day) : null;
  if (start === null) return fail('day_wrong');
  return returnRefund(runtime, access, { id, source, happenedAt: day === today ? null : start });
}
