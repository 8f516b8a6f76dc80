import { hashPassword } from '@/lib/accounts/passwords/password';
import type { PasswordProblem } from '@/lib/accounts/passwords/password-limits';
import { passwordProblem } from '@/lib/accounts/passwords/password-rules';
import { parsePersonName } from '@/lib/accounts/person-name';
import { readSession } from '@/lib/accounts/sessions/read-session';
import { markEmailVerified } from '@/lib/accounts/store';
import { insertMember } from '@/lib/accounts/team-store';
import { hashToken } from '@/lib/accounts/token';
import { recordEntry } from '@/lib/audit/record-entry';
import { userActor } from '@/lib/core/actor';
import { newId } from '@/lib/core/ids';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Environment } from '@/lib/core/scope';
import type { Connection } from '@/lib/db/database';
import type { Runtime } from '@/lib/runtime/runtime';
import { type InvitationState, invitationState } from './invitation-rules';
import { type FoundInvitation, findByToken, insertPerson, lockByToken, markInvitationAccepted } from './invitation-store';

type Needs = Pick<Runtime, 'db' | 'clock' | 'random' | 'settings'>;

export type AcceptProblem =
  | Exclude<InvitationState, 'open'>
  | 'unknown'
  | 'wrong_person'
  | 'sign_in_first'
  | 'name_wrong'
  | PasswordProblem;

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
  return (await insertPerson(tx, {
    id,
    email,
    name: read.value,
    passwordHash,
    passwordExpiresAt: null,
    createdAt: runtime.clock(),
    emailVerifiedAt: null,
  }))
    ? id
    : null;
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
