import type { AccountAccess } from '@/lib/accounts/access/grant-account';
import { holdUser, isEmailTaken, markEmailVerified } from '@/lib/accounts/store';
import { hashToken } from '@/lib/accounts/token';
import { fail, ok, type Result } from '@/lib/core/result';
import type { Runtime } from '@/lib/runtime/runtime';
import { moveAccount } from './change-email';
import { findLink, spendLink } from './link-store';

/**
 * @returns the address that a link makes somebody's own, or null when it does not work (any more) or was asked for by somebody else.
 *   Uses nothing up.
 */
export async function readEmailLink(
  { db, clock }: Pick<Runtime, 'db' | 'clock'>,
  { user }: AccountAccess,
  token: string,
): Promise<string | null> {
  const link = await findLink(db, 'email', hashToken(token), clock());
  return link?.userId === user.id ? link.email : null;
}

interface FinishOptions {
  readonly token: string;
  readonly address: string | null;
}

/**
 * Gives a person the address that a link was sent to, once. Only whoever asked for it can: a slip in the address hands nobody the
 * account. @returns the new address, and how many other sessions ended.
 */
export async function finishEmail(
  runtime: Pick<Runtime, 'db' | 'clock' | 'random' | 'settings' | 'secrets'>,
  account: AccountAccess,
  { token, address }: FinishOptions,
): Promise<Result<{ readonly email: string; readonly ended: number }, 'link_ended' | 'email_taken'>> {
  const { user, sessionId } = account;
  const to = await readEmailLink(runtime, account, token);
  if (to === null) return fail('link_ended');
  try {
    return await runtime.db.transaction(async (tx) => {
      if ((await holdUser(tx, user.id)) !== user.email) return fail('link_ended');
      if (!(await spendLink(tx, 'email', hashToken(token), runtime.clock()))) return fail('link_ended');
      const ended = await moveAccount(runtime, { user, to, actor: `user:${user.email}`, address, except: sessionId }, tx);
      await markEmailVerified(tx, user.id, runtime.clock());
      return ok({ email: to, ended });
    });
  } catch (error) {
    if (isEmailTaken(error)) return fail('email_taken');
    throw error;
  }
}
