import { DAY_MS } from '@/lib/core/clock';

export const INVITATION_MS = 7 * DAY_MS;
/** Sent or sent again, for one merchant: nobody's mail server is a means to write to strangers. */
export const INVITATIONS_A_DAY = 30;

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
