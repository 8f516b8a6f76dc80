import { readSession, type SessionRuntime } from '@/lib/identity/accounts/access/sessions';
import { hashPassword } from '@/lib/identity/accounts/passwords/password';
import type { PasswordProblem } from '@/lib/identity/accounts/passwords/password-limits';
import { passwordProblem } from '@/lib/identity/accounts/passwords/password-rules';
import type { Role } from '@/lib/identity/accounts/permissions';
import { parsePersonName } from '@/lib/identity/accounts/person-name';
import { findUserByEmail, markEmailVerified } from '@/lib/identity/accounts/store';
import { insertMember } from '@/lib/identity/accounts/team-store';
import { hashToken } from '@/lib/identity/accounts/token';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import { userActor } from '@/lib/platform/core/actor';
import { newId } from '@/lib/platform/core/ids';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Environment } from '@/lib/platform/core/scope';
import type { Connection } from '@/lib/platform/db/database';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { type InvitationState, invitationState } from './invitation-rules';
import { type FoundInvitation, findByToken, lockByToken, markInvitationAccepted } from './invitation-store';

type Needs = Pick<Runtime, 'db' | 'clock' | 'random' | 'settings'>;

type AcceptProblem = Exclude<InvitationState, 'open'> | 'unknown' | 'wrong_person' | 'sign_in_first' | 'name_wrong' | PasswordProblem;

interface AcceptOptions {
  readonly token: string;
  readonly session: string | null;
  /** The data of a new account. Null for a signed-in user. A person who already has an account must sign in first. */
  readonly person: { readonly name: string; readonly password: string } | null;
  readonly address: string | null;
}

interface Accepted {
  readonly slug: string;
  /** The environment to open: live if the merchant is active there, else the sandbox. */
  readonly environment: Environment;
  readonly email: string;
  /** Whether the account is new, so that the person must sign in. */
  readonly signInDue: boolean;
}

/**
 * Makes the invited person a member of the team. A link that was shown to the inviting member, and not mailed, does not prove
 * access to the mailbox. The new account then stays unverified, and a password reset by mail gives the whole account to the owner
 * of the mailbox.
 */
export async function acceptInvitation(
  runtime: Needs,
  { token, session, person, address }: AcceptOptions,
): Promise<Result<Accepted, AcceptProblem>> {
  // The invitation is checked first, because hashing a password is expensive.
  const invitation = await findByToken(runtime.db, hashToken(token));
  const closed = problemOf(invitation, runtime.clock());
  if (!invitation || closed) return fail(closed ?? 'unknown');
  const signedIn = session === null ? null : await readSession(runtime, session);
  const problem = !signedIn && person ? personProblem(person, invitation) : null;
  if (problem) return fail(problem);
  const passwordHash = !signedIn && person ? await hashPassword(person.password) : null;
  return runtime.db.transaction(async (tx) => {
    const found = await lockByToken(tx, hashToken(token));
    const state = problemOf(found, runtime.clock());
    if (!found || state) return fail(state ?? 'unknown');
    if (signedIn && signedIn.user.email !== found.email) return fail('wrong_person');
    const userId = signedIn?.user.id ?? (person && passwordHash ? await createUser(runtime, tx, found, person.name, passwordHash) : null);
    if (userId === null) return fail('sign_in_first');
    if (found.mailed) await markEmailVerified(tx, userId, runtime.clock());
    await join(runtime, tx, { found, userId, address });
    const { slug, email, live } = found;
    return ok({ slug, environment: live ? 'live' : 'sandbox', email, signInDue: !signedIn });
  });
}

function problemOf(found: FoundInvitation | undefined, now: Date): Exclude<InvitationState, 'open'> | 'unknown' | null {
  if (!found) return 'unknown';
  const state = invitationState(found, now);
  return state === 'open' ? null : state;
}

function personProblem(
  { name, password }: NonNullable<AcceptOptions['person']>,
  { email, merchantName }: FoundInvitation,
): 'name_wrong' | PasswordProblem | null {
  const read = parsePersonName(name);
  return read.ok ? passwordProblem(password, [email, read.value, merchantName]) : 'name_wrong';
}

/** Creates the account of the invited person and returns its id. Returns null if the address already has an account. */
async function createUser(
  runtime: Needs,
  tx: Connection,
  { email }: FoundInvitation,
  name: string,
  passwordHash: string,
): Promise<string | null> {
  const id = newId(runtime);
  const read = parsePersonName(name);
  if (!read.ok) return null;
  const data = { id, email, name: read.value, passwordHash, createdAt: runtime.clock() };
  const { count } = await tx.prisma.user.createMany({ data, skipDuplicates: true });
  return count > 0 ? id : null;
}

interface JoinOptions {
  readonly found: FoundInvitation;
  readonly userId: string;
  readonly address: string | null;
}

async function join(runtime: Needs, tx: Connection, { found, userId, address }: JoinOptions): Promise<void> {
  const { id, merchantId, email, role, invitedBy } = found;
  const now = runtime.clock();
  await insertMember(tx, { merchantId, userId, role, createdAt: now });
  await markInvitationAccepted(tx, id, now);
  const entry = { merchantId, environment: null, actor: userActor({ email }, address), action: 'member.joined', subject: userId };
  await recordEntry(runtime, { ...entry, data: { invitation: id, invitedBy, after: { role } } }, tx);
}

export interface InvitationView {
  readonly state: InvitationState;
  readonly email: string;
  readonly role: Role;
  readonly merchantName: string;
  readonly slug: string;
  /** The actor who sent the invitation, as in the audit log. */
  readonly invitedBy: string;
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
  const { email, role, merchantName, slug, invitedBy } = found;
  const signedIn = session === null ? null : await readSession(runtime, session);
  const reader = signedIn
    ? signedIn.user.email === email
      ? 'invited'
      : 'other'
    : (await findUserByEmail(runtime.db, email))
      ? 'known'
      : 'new';
  const state = invitationState(found, runtime.clock());
  return { state, email, role, merchantName, slug, invitedBy, reader, signedInAs: signedIn?.user.email ?? null };
}
