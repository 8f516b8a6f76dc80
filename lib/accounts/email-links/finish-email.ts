import type { AccountAccess } from '@/lib/accounts/access/grant-account';
import { isEmailTaken, lockUser, markEmailVerified } from '@/lib/accounts/store';
import { hashToken } from '@/lib/accounts/token';
import { fail, ok, type Result } from '@/lib/core/result';
import type { NotifyRuntime, ReadRuntime } from '@/lib/runtime/runtime';
import { replaceEmail } from './change-email';
import { findLink, spendLink } from './link-store';

/** Returns the new address of a link without using the link up. Returns null if the link does not work or another user requested it. */
export async function readEmailLink({ db, clock }: ReadRuntime, { user }: AccountAccess, token: string): Promise<string | null> {
  const link = await findLink(db, 'email', hashToken(token), clock());
  return link?.userId === user.id ? link.email : null;
}

/**
 * Changes the user's e-mail address to the one that the link was sent to. A link works once, and only for the user who requested
 * it, so a typo in the address gives nobody else the account. Returns the new address and how many other sessions ended.
 */
export async function finishEmail(
  runtime: NotifyRuntime,
  account: AccountAccess,
  token: string,
): Promise<Result<{ readonly email: string; readonly ended: number }, 'link_ended' | 'email_taken'>> {
  const { user, actor, sessionId } = account;
  const to = await readEmailLink(runtime, account, token);
  if (to === null) return fail('link_ended');
  try {
    return await runtime.db.transaction(async (tx) => {
      if ((await lockUser(tx, user.id)) !== user.email) return fail('link_ended');
      if (!(await spendLink(tx, 'email', hashToken(token), runtime.clock()))) return fail('link_ended');
      const ended = await replaceEmail(runtime, { user, to, actor, except: sessionId }, tx);
      await markEmailVerified(tx, user.id, runtime.clock());
      return ok({ email: to, ended });
    });
  } catch (error) {
    if (isEmailTaken(error)) return fail('email_taken');
    throw error;
  }
}
