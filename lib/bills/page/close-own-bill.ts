import { type AccessRefusal, findRefusal, type MerchantAccess } from '@/lib/accounts/access/grant-access';
import { fail, type Result } from '@/lib/core/result';
import { oneLine, REASON_MAX } from '@/lib/core/text';
import type { Runtime } from '@/lib/runtime/runtime';
import { type CloseRefusal, closeBill, type ReopenRefusal, reopenBill } from './close-bill';

type Needs = Pick<Runtime, 'db' | 'clock' | 'random'>;
type Refused = AccessRefusal | 'reason_too_long';
export type OwnCloseRefusal = CloseRefusal | ReopenRefusal | Refused;

interface OwnCloseOptions {
  readonly billId: string;
  /** As it was typed. */
  readonly reason: string;
  readonly address: string | null;
}

/** Closes a bill of the merchant's own, if the person may change things. */
export async function closeOwnBill(
  runtime: Needs,
  access: MerchantAccess,
  { billId, reason, address }: OwnCloseOptions,
): Promise<Result<null, CloseRefusal | Refused>> {
  const refused = refusal(access, reason);
  return refused ? fail(refused) : closeBill(runtime, { billId, address, ...said(access, reason) });
}

/** Opens one again. */
export async function reopenOwnBill(
  runtime: Needs,
  access: MerchantAccess,
  { billId, reason, address }: OwnCloseOptions,
): Promise<Result<null, ReopenRefusal | Refused>> {
  const refused = refusal(access, reason);
  return refused ? fail(refused) : reopenBill(runtime, { billId, address, ...said(access, reason) });
}

function refusal(access: MerchantAccess, reason: string): Refused | null {
  return findRefusal(access, 'bills.change') ?? (oneLine(reason).length > REASON_MAX ? 'reason_too_long' : null);
}

function said(access: MerchantAccess, reason: string) {
  return { whose: access, reason: oneLine(reason), actor: `user:${access.user.email}` };
}
