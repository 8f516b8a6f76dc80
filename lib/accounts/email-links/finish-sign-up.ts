import { newDeviceId } from '@/lib/accounts/device';
import type { PasswordProblem } from '@/lib/accounts/passwords/password-limits';
import { passwordProblem } from '@/lib/accounts/passwords/password-rules';
import { type NameProblem, parsePersonName } from '@/lib/accounts/person-name';
import { startSession } from '@/lib/accounts/sessions/start-session';
import { findUserByEmail } from '@/lib/accounts/store';
import { hashToken } from '@/lib/accounts/token';
import { fail, ok, type Result } from '@/lib/core/result';
import { createMerchant } from '@/lib/merchants/manage/create-merchant';
import { nameProblem } from '@/lib/merchants/rules';
import type { NotifyRuntime, Runtime } from '@/lib/runtime/runtime';
import { findLink, spendLink } from './link-store';
import { isSignUpOpen } from './request-sign-up';

/** Returns the address of a sign-up link without using the link up. Returns null if the link does not work. */
export async function readSignUpLink(runtime: Pick<Runtime, 'db' | 'clock' | 'settings'>, token: string): Promise<string | null> {
  if (!isSignUpOpen(runtime)) return null;
  const link = await findLink(runtime.db, 'sign_up', hashToken(token), runtime.clock());
  return link && !(await findUserByEmail(runtime.db, link.email)) ? link.email : null;
}

interface FinishSignUpOptions {
  readonly token: string;
  readonly business: string;
  readonly name: string;
  readonly password: string;
  readonly userAgent: string | null;
  readonly address: string | null;
  /** The token of the browser's previous session. It is ended. */
  readonly session?: string | null;
}

/** The problem of each form field. Absent for valid fields. */
export interface SignUpProblems {
  readonly business?: 'business_name';
  readonly name?: NameProblem;
  readonly password?: PasswordProblem;
}

interface SignedUp {
  readonly userId: string;
  readonly token: string;
  readonly device: string;
}

/**
 * Creates a merchant, its owner and a session for the owner, once for each link. The sandbox is active at once. Live stays pending
 * until the operator activates it.
 */
export async function finishSignUp(
  runtime: NotifyRuntime,
  { token, business, name, password, userAgent, address, session = null }: FinishSignUpOptions,
): Promise<Result<SignedUp, SignUpProblems | 'link_ended'>> {
  const email = await readSignUpLink(runtime, token);
  if (email === null) return fail('link_ended');
  const parsedName = parsePersonName(name);
  const weak = passwordProblem(password, [email, name, business]);
  const problems: SignUpProblems = {
    ...(nameProblem(business) && { business: 'business_name' }),
    ...(!parsedName.ok && { name: parsedName.error }),
    ...(weak && { password: weak }),
  };
  if (!parsedName.ok || Object.keys(problems).length > 0) return fail(problems);
  // The link is used up first, so that only one of two concurrent requests creates a merchant. If the rest fails, the user can
  // request another link.
  if (!(await spendLink(runtime.db, 'sign_up', hashToken(token), runtime.clock()))) return fail('link_ended');
  const owner = { name: parsedName.value, password, address };
  const created = await createMerchant(runtime, { name: business, email, live: 'pending', owner });
  // Name and address are valid, so another request has created an account with this address meanwhile.
  if (!created.ok) return fail('link_ended');
  const user = await findUserByEmail(runtime.db, email);
  if (!user) throw new Error(`the merchant ${created.value.merchant.id} was created without an owner`);
  const started = await runtime.db.transaction((tx) =>
    startSession(runtime, { user, userAgent, address, codeDue: false, replaces: session }, tx),
  );
  return ok({ userId: user.id, token: started, device: newDeviceId(runtime.random, 'mailbox') });
}
