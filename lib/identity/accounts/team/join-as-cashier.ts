import { startSession } from '@/lib/identity/accounts/access/sessions';
import { type PinProblem, pinProblem } from '@/lib/identity/accounts/cashier-rules';
import { revokeDevices } from '@/lib/identity/accounts/cashier-store';
import { hashPassword, makePassword } from '@/lib/identity/accounts/passwords/password';
import { type DeviceSecret, knownDevices, pinText } from '@/lib/identity/accounts/sign-in/device-secret';
import type { User } from '@/lib/identity/accounts/store';
import { insertMember } from '@/lib/identity/accounts/team-store';
import { hashToken, newToken } from '@/lib/identity/accounts/token';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import { userActor } from '@/lib/platform/core/actor';
import { newId } from '@/lib/platform/core/ids';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Environment } from '@/lib/platform/core/scope';
import type { Connection } from '@/lib/platform/db/database';
import type { ReadRuntime, Runtime } from '@/lib/platform/runtime/runtime';
import { type InvitationState, invitationState } from './invitation-rules';
import { findCashierByToken, type InvitedPerson, lockCashierByToken, markInvitationAccepted } from './invitation-store';

type Needs = Pick<Runtime, 'db' | 'clock' | 'random' | 'secrets'>;

interface JoinOptions {
  readonly token: string;
  readonly pin: string;
  readonly repeated: string;
  /** The cookies of all cashiers' devices that the browser already has. */
  readonly devices: readonly string[];
  readonly userAgent: string | null;
  readonly address: string | null;
  /** The token of the browser's previous session. Joining ends that session. */
  readonly session: string | null;
}

interface Joined {
  readonly userId: string;
  readonly token: string;
  readonly device: DeviceSecret;
  readonly slug: string;
  /** Live if the merchant is active there, else the sandbox. The environment in which the member created the invitation does not matter. */
  readonly environment: Environment;
}

type JoinProblem = PinProblem | 'pins_differ' | Exclude<InvitationState, 'open'> | 'unknown';

/**
 * Accepts a cashier's invitation by its link. Stores the PIN for this device, which is a known device from then on, and signs the cashier
 * in. Creates the account if the merchant has no cashier with this number yet. Revokes the device that the cashier used in this browser
 * before.
 */
export async function joinAsCashier(runtime: Needs, options: JoinOptions): Promise<Result<Joined, JoinProblem>> {
  const { db, clock, random } = runtime;
  const { token, pin, repeated, userAgent, address, session } = options;
  // The invitation is checked first, because hashing is expensive.
  const found = await findCashierByToken(db, hashToken(token));
  const problem = problemOf(found, clock()) ?? pinProblem(pin, found?.mobile ?? '') ?? (pin === repeated ? null : 'pins_differ');
  if (problem) return fail(problem);
  const device: DeviceSecret = { id: newId(runtime), secret: newToken(random) };
  const pinHash = await hashPassword(pinText(pin, device.secret));
  // Every account needs a password. Nobody knows this one, and cashiers cannot sign in with a password.
  const passwordHash = await hashPassword(makePassword(random));
  const known = await knownDevices(runtime, options.devices);
  return db.transaction(async (tx): Promise<Result<Joined, JoinProblem>> => {
    const invitation = await lockCashierByToken(tx, hashToken(token));
    const now = clock();
    const closed = problemOf(invitation, now);
    if (!invitation || closed) return fail(closed ?? 'unknown');
    const { merchantId, slug, live } = invitation;
    const user = await findOrCreate(runtime, tx, invitation, passwordHash);
    const actor = userActor(user, address);
    await insertMember(tx, { merchantId, userId: user.id, role: 'collector', createdAt: now });
    await markInvitationAccepted(tx, invitation.id, now);
    for (const { id } of known.filter((one) => one.user.id === user.id)) await revokeDevices(tx, { merchantId, userId: user.id, id, now });
    const times = { createdAt: now, lastUsedAt: now };
    const secrets = { secretHash: hashToken(device.secret), pinHash };
    await tx.prisma.cashierDevice.create({
      data: { id: device.id, merchantId, userId: user.id, ...secrets, userAgent: userAgent?.slice(0, 300) ?? null, ...times },
      select: { id: true },
    });
    const data = { invitation: invitation.id, invitedBy: invitation.invitedBy, device: device.id };
    await recordEntry(runtime, { merchantId, environment: null, actor, action: 'cashier.joined', subject: user.id, data }, tx);
    const started = await startSession(
      runtime,
      { user, userAgent, address, codeDue: false, replaces: session, cashierDeviceId: device.id },
      tx,
    );
    return ok({ userId: user.id, token: started, device, slug, environment: live ? 'live' : 'sandbox' });
  });
}

function problemOf(found: InvitedPerson | undefined, now: Date): Exclude<InvitationState, 'open'> | 'unknown' | null {
  if (!found) return 'unknown';
  const state = invitationState(found, now);
  return state === 'open' ? null : state;
}

async function findOrCreate(runtime: Needs, { prisma }: Connection, invited: InvitedPerson, passwordHash: string): Promise<User> {
  const { email, name, mobile } = invited;
  const select = { id: true, email: true, name: true };
  const data = { id: newId(runtime), email, name, mobile, passwordHash, createdAt: runtime.clock() };
  // Two invitations for one number have separate locks and can be accepted at the same time. The unique index on the login name prevents a
  // second account.
  return prisma.user.upsert({ where: { email }, create: data, update: { name }, select });
}

export interface CashierInvitation {
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
