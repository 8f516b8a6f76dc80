import { CASHIER_LINK_MS } from '@/lib/identity/accounts/cashier-rules';

/** How long the link of an invitation works, for cashiers and everybody else. */
export const INVITATION_MS = CASHIER_LINK_MS;
/** How many invitations one merchant may send or resend in 24 hours. */
export const INVITATIONS_A_DAY = 30;
/**
 * Limits of mailed invitations in 24 hours. These mails go to strangers and contain a name that the merchant chose. Therefore a merchant
 * that the operator has not activated in live may send only a few, and `allPending` limits all such merchants together.
 */
export const MAILED_INVITATIONS_A_DAY = { pending: 3, allPending: 100, all: 1_000 } as const;

export interface InvitationsSent {
  /** How many invitations this merchant sent in the last 24 hours, mailed or not. */
  readonly own: number;
  /** How many invitations all merchants that are not active in live sent by mail in the last 24 hours. */
  readonly mailedPending: number;
  /** How many invitations all merchants sent by mail in the last 24 hours. */
  readonly mailed: number;
}

/** Pure. Returns whether a limit forbids the next invitation. `byMail`: it would be mailed. `live`: the merchant is active in live. */
export function isOverInvitationLimit(
  sent: InvitationsSent,
  { byMail, live }: { readonly byMail: boolean; readonly live: boolean },
): boolean {
  if (sent.own >= INVITATIONS_A_DAY) return true;
  if (!byMail) return false;
  const { pending, allPending, all } = MAILED_INVITATIONS_A_DAY;
  return sent.mailed >= all || (!live && (sent.own >= pending || sent.mailedPending >= allPending));
}

export type InvitationState = 'open' | 'used' | 'revoked' | 'expired';

interface Dates {
  readonly acceptedAt: Date | null;
  readonly revokedAt: Date | null;
  readonly expiresAt: Date;
}

/** Pure. Returns whether an invitation can still be accepted, and if not, why. */
export function invitationState({ acceptedAt, revokedAt, expiresAt }: Dates, now: Date): InvitationState {
  if (acceptedAt) return 'used';
  if (revokedAt) return 'revoked';
  return expiresAt <= now ? 'expired' : 'open';
}

/** Returns an e-mail address as it is stored: trimmed and in lower case. */
export function normalEmail(text: string): string {
  return text.trim().toLowerCase();
}
