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
   * Who views the page: `invited`, the invited person, signed in; `other`, somebody else, signed in; `known`, not signed in, and
   * the invited address has an account; `new`, not signed in, and the invited address has no account.
   */
  readonly reader: 'invited' | 'other' | 'known' | 'new';
  /** The e-mail address of the signed-in user. Null if nobody is signed in. */
  readonly signedInAs: string | null;
}

/** Returns the data of an invitation's page. Returns null if the link never existed or a newer link has replaced it. */
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
