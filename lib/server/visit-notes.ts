import { headers } from 'next/headers';
import { notFound } from 'next/navigation';
import type { AccessRefusal, MerchantAccess } from '@/lib/accounts/access/grant-access';
import { grantAccount } from '@/lib/accounts/access/grant-account';
import { isSameOrigin } from '@/lib/http/same-origin';
import type { Refusal } from './refusals';
import { type WebRuntime, webRuntime } from './web-runtime';

/** @returns the headers of a request that one of our own pages sent; ends any other, and notes it. */
export async function ownHeaders(): Promise<Headers> {
  const sent = await headers();
  if (isSameOrigin(sent)) return sent;
  const runtime = webRuntime();
  runtime.noteRefusal({
    reason: 'foreign_page',
    what: sent.get('origin') ?? 'no origin',
    who: null,
    scope: null,
    ...whence(runtime, sent),
  });
  notFound();
}

/** Notes that somebody who is signed in asked for a merchant that they are no member of, or that does not exist. */
export async function noteStranger(runtime: WebRuntime, token: string | null, what: string): Promise<void> {
  const account = await grantAccount(runtime, token);
  if (!account) return;
  const { sessionId, user } = account;
  const who = { sessionId, userId: user.id, email: user.email };
  runtime.noteRefusal({ reason: 'stranger', what, who, scope: null, ...whence(runtime, await headers()) });
}

const REASONS: Readonly<Record<AccessRefusal, Refusal['reason']>> = { not_allowed: 'role', second_factor_due: 'second_factor' };

/** @returns the same access, which notes what is refused with it. For what somebody asked for, not for what a page only offers. */
export function traced(runtime: WebRuntime, access: MerchantAccess, sent: Headers): MerchantAccess {
  const { sessionId, user, scope } = access;
  const who = { sessionId, userId: user.id, email: user.email };
  const from = whence(runtime, sent);
  return { ...access, refused: (what, why) => runtime.noteRefusal({ reason: REASONS[why], what, who, scope, ...from }) };
}

function whence({ addressOf }: WebRuntime, sent: Headers): Pick<Refusal, 'address' | 'requestId'> {
  return { address: addressOf(sent), requestId: sent.get('x-request-id') };
}
