import type { Role } from '@/lib/accounts/permissions';
import { readSession, type SessionRuntime } from '@/lib/accounts/sessions/read-session';
import { findUserByEmail } from '@/lib/accounts/store';
import { hashToken } from '@/lib/accounts/token';
import { type InvitationState, invitationState } from './invitation-rules';
import { findByToken } from './invitation-store';

export interface InvitationView {
  readonly state: InvitationState;
  readonly email: string;
  readonly role: Role;
  readonly merchantName: string;
  readonly slug: string;
  readonly expiresAt: Date;
  /**
   * Who looks at it: the person invited, signed in; somebody else, signed in; nobody, of an address that signs in already; or
   * nobody, of a new one.
   */
  readonly reader: 'invited' | 'other' | 'known' | 'new';
  /** The address of whoever is signed in. */
  readonly signedInAs: string | null;
}

/** @returns what the page of an invitation shows; null for a link that never was, or that a newer one has replaced. */
export async function showInvitation(
  runtime: SessionRuntime,
  { token, session }: { readonly token: string; readonly session: string | null },
): Promise<InvitationView | null> {
  const found = await findByToken(runtime.db, hashToken(token));
  if (!found) return null;
  const { email, role, merchantName, slug, expiresAt } = found;
  const signedIn = session === null ? null : await readSession(runtime, session);
  const reader = signedIn
    ? signedIn.user.email === email
      ? 'invited'
      : 'other'
    : (await findUserByEmail(runtime.db, email))
      ? 'known'
      : 'new';
  const state = invitationState(found, runtime.clock());
  return { state, email, role, merchantName, slug, expiresAt, reader, signedInAs: signedIn?.user.email ?? null };
}
