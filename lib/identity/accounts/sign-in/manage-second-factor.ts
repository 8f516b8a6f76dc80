import { isProven } from '@/lib/identity/accounts/access/grant-access';
import type { AccountAccess } from '@/lib/identity/accounts/access/grant-account';
import { endSessions } from '@/lib/identity/accounts/access/session-store';
import { notifyOwner } from '@/lib/identity/accounts/notify-owner';
import {
  hashRecoveryCode,
  makeRecoveryCodes,
  makeTotpSecret,
  matchTotp,
  readCode,
  totpUri,
} from '@/lib/identity/accounts/sign-in/second-factor-codes';
import { findUserByEmail } from '@/lib/identity/accounts/store';
import { recordEntry } from '@/lib/identity/audit/record-entry';
import type { Actor } from '@/lib/platform/core/actor';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { NotifyRuntime, Runtime } from '@/lib/platform/runtime/runtime';
import { beginSecondFactor, deleteSecondFactor, findSecondFactor, replaceRecoveryCodes, secondFactorContext } from './second-factor-store';

type SecondFactorState =
  | { readonly kind: 'off' }
  /** The secret for the authenticator app. It is shown only to a user who has recently proven their identity. */
  | { readonly kind: 'setting_up'; readonly secret: string; readonly uri: string }
  | { readonly kind: 'on'; readonly since: Date; readonly codesLeft: number };

export async function readSecondFactor(
  runtime: Pick<Runtime, 'db' | 'clock' | 'secrets'>,
  account: AccountAccess,
): Promise<SecondFactorState> {
  const { id, email } = account.user;
  const factor = await findSecondFactor(runtime.db, id);
  if (factor?.confirmedAt)
    return {
      kind: 'on',
      since: factor.confirmedAt,
      codesLeft: await runtime.db.prisma.recoveryCode.count({ where: { userId: id, usedAt: null } }),
    };
  if (!factor || !isProven(account, runtime.clock())) return { kind: 'off' };
  const secret = runtime.secrets.decrypt(factor.encryptedSecret, secondFactorContext(id));
  return { kind: 'setting_up', secret, uri: totpUri(secret, email) };
}

/**
 * Creates the secret for an authenticator app. The second factor is not required until a code of the app confirms it. Returns false
 * if the user has not recently proven their identity, or already has a second factor.
 */
export async function startSecondFactor(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random' | 'secrets'>,
  account: AccountAccess,
): Promise<boolean> {
  const { id } = account.user;
  const now = runtime.clock();
  if (!isProven(account, now)) return false;
  return beginSecondFactor(runtime.db, id, runtime.secrets.encrypt(makeTotpSecret(runtime.random), secondFactorContext(id)), now);
}

/**
 * Turns on the second factor that was set up, if the code of the app is right. Ends all other sessions of the user, because they
 * began without a second factor. Returns the recovery codes, which are shown once.
 */
export async function confirmSecondFactorSetup(
  runtime: NotifyRuntime,
  account: AccountAccess,
  code: string,
): Promise<Result<readonly string[], 'not_proven' | 'not_set_up' | 'wrong'>> {
  const { id, email } = account.user;
  const now = runtime.clock();
  if (!isProven(account, now)) return fail('not_proven');
  const factor = await findSecondFactor(runtime.db, id);
  if (!factor || factor.confirmedAt) return fail('not_set_up');
  const step = matchTotp(runtime.secrets.decrypt(factor.encryptedSecret, secondFactorContext(id)), readCode(code), now);
  if (step === null) return fail('wrong');
  const codes = makeRecoveryCodes(runtime.random);
  const confirmed = await runtime.db.transaction(async (tx) => {
    const { count } = await tx.prisma.secondFactor.updateMany({
      where: { userId: id, encryptedSecret: factor.encryptedSecret, confirmedAt: null },
      data: { confirmedAt: now, lastStep: step },
    });
    if (count === 0) return false;
    await replaceRecoveryCodes(
      tx,
      id,
      codes.map((one) => hashRecoveryCode(runtime, one)),
      now,
    );
    await endSessions(tx, id, account.sessionId, now);
    const { actor } = account;
    await recordEntry(runtime, { merchantId: null, environment: null, actor, action: 'second-factor.on', subject: id }, tx);
    await notifyOwner(runtime, email, 'secondFactorOn', tx);
    return true;
  });
  return confirmed ? ok(codes) : fail('not_set_up');
}

/** Replaces the user's recovery codes. The old codes stop working. Returns the new ones, which are shown once. */
export async function renewRecoveryCodes(
  runtime: NotifyRuntime,
  account: AccountAccess,
): Promise<Result<readonly string[], 'not_proven' | 'not_set_up'>> {
  const { id, email } = account.user;
  const now = runtime.clock();
  if (!isProven(account, now)) return fail('not_proven');
  const codes = makeRecoveryCodes(runtime.random);
  const renewed = await runtime.db.transaction(async (tx) => {
    if (!(await findSecondFactor(tx, id))?.confirmedAt) return false;
    await replaceRecoveryCodes(
      tx,
      id,
      codes.map((one) => hashRecoveryCode(runtime, one)),
      now,
    );
    const entry = { merchantId: null, environment: null, actor: account.actor, action: 'recovery-codes.renewed', subject: id };
    await recordEntry(runtime, entry, tx);
    await notifyOwner(runtime, email, 'codesRenewed', tx);
    return true;
  });
  return renewed ? ok(codes) : fail('not_set_up');
}

/** Turns off the user's own second factor. Returns false if there was none, or if the user has not recently proven their identity. */
export async function switchOffSecondFactor(runtime: NotifyRuntime, account: AccountAccess): Promise<boolean> {
  const { id, email } = account.user;
  if (!isProven(account, runtime.clock())) return false;
  return runtime.db.transaction(async (tx) => {
    if (!(await deleteSecondFactor(tx, id))) return false;
    const entry = { merchantId: null, environment: null, actor: account.actor, action: 'second-factor.off', subject: id };
    await recordEntry(runtime, entry, tx);
    await notifyOwner(runtime, email, 'secondFactorOff', tx);
    return true;
  });
}

/**
 * Removes the second factor of a user who has lost both the phone and the recovery codes, on behalf of the operator. Ends the
 * user's sessions. Returns `unknown` for an unknown e-mail address and `none` if there was no second factor.
 */
export async function removeSecondFactor(
  runtime: NotifyRuntime,
  { email, actor }: { readonly email: string; readonly actor: Actor },
): Promise<'removed' | 'unknown' | 'none'> {
  const user = await findUserByEmail(runtime.db, email.trim());
  if (!user) return 'unknown';
  const removed = await runtime.db.transaction(async (tx) => {
    if (!(await deleteSecondFactor(tx, user.id))) return false;
    await endSessions(tx, user.id, null, runtime.clock());
    const entry = { merchantId: null, environment: null, actor, action: 'second-factor.removed', subject: user.id };
    await recordEntry(runtime, { ...entry, data: { email: user.email } }, tx);
    await notifyOwner(runtime, user.email, 'secondFactorOff', tx);
    return true;
  });
  return removed ? 'removed' : 'none';
}
