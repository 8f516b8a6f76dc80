import { type InvitationState, invitationState } from '@/lib/accounts/team/invitation-rules';
import { findCashierByToken } from '@/lib/accounts/team/invitation-store';
import { hashToken } from '@/lib/accounts/token';
import type { ReadRuntime } from '@/lib/runtime/runtime';

interface CashierInvitation {
  readonly state: InvitationState;
  readonly name: string;
  readonly mobile: string;
  readonly merchantName: string;
}

/** Returns the data of the page where an invited cashier joins. Returns null if the link is not a cashier's invitation. */
export async function showCashierInvitation({ db, clock }: ReadRuntime, token: string): Promise<CashierInvitation | null> {
  const found = await findCashierByToken(db, hashToken(token));
  if (!found) return null;
  const { name, mobile, merchantName } = found;
  return { state: invitationState(found, clock()), name, mobile, merchantName };
}
