import { DAY_MS } from '@/lib/core/clock';

export const INVITATION_MS = 7 * DAY_MS;
/** Invitations that one merchant may send or send again in 24 hours. */
export const INVITATIONS_A_DAY = 30;
/**
 * Limits of invitations by mail in 24 hours. They go to strangers and carry a name that the merchant chose, so a merchant that the
 * operator has not activated in live sends few, and all such merchants together a bounded number.
 */
export const MAILED_INVITATIONS_A_DAY = { pending: 3, allPending: 100, all: 1_000 } as const;

export interface InvitationsSent {
  /** By this merchant, mailed or not. */
  readonly own: number;
  /** By mail, by every merchant that is not active in live. */
  readonly mailedPending: number;
  /** By mail, by every merchant. */
  readonly mailed: number;
}

/** Pure. @param byMail whether the next invitation is mailed. @param live whether the merchant is active in live. */
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

/** Pure. @returns whether an invitation can still be taken up, and if not, why. */
export function invitationState({ acceptedAt, revokedAt, expiresAt }: Dates, now: Date): InvitationState {
  if (acceptedAt) return 'used';
  if (revokedAt) return 'revoked';
  return expiresAt <= now ? 'expired' : 'open';
}

/** @returns an address as it is kept: people are found by it in lower case. */
export function normalEmail(text: string): string {
  return text.trim().toLowerCase();
}
