import { headers } from 'next/headers';
import { notFound } from 'next/navigation';
import type { AccessRefusal, MerchantAccess } from '@/lib/accounts/access/grant-access';
import { grantAccount } from '@/lib/accounts/access/grant-account';
import { isSameOrigin } from '@/lib/http/same-origin';
import { type Refusal, refuseForeignForm } from './refusals';
import { type WebRuntime, webRuntime } from './web-runtime';

/** Returns the headers of a request from one of our own pages. Answers other requests with the page "not found", and records them. */
export async function ownHeaders(): Promise<Headers> {
  const sent = await headers();
  if (isSameOrigin(sent)) return sent;
  refuseForeignForm(webRuntime(), sent);
  notFound();
}

/** Records that a signed-in person opened a page of a merchant that does not exist, or of which the person is no member. */
export async function recordStranger(runtime: WebRuntime, token: string | null, what: string): Promise<void> {
  const account = await grantAccount(runtime, token);
  if (!account) return;
  const { sessionId, user } = account;
  const who = { sessionId, userId: user.id, email: user.email };
  runtime.recordRefusal({ reason: 'stranger', what, who, scope: null, ...requestSource(runtime, await headers()) });
}

const REASONS: Readonly<Record<AccessRefusal, Refusal['reason']>> = { not_allowed: 'role', second_factor_due: 'second_factor' };

/** Returns a copy of the access that records refusals. Use it for requested actions, not for pages that only check a permission. */
export function withRefusalLog(runtime: WebRuntime, access: MerchantAccess, sent: Headers): MerchantAccess {
  const { sessionId, user, scope } = access;
  const who = { sessionId, userId: user.id, email: user.email };
  const from = requestSource(runtime, sent);
  return { ...access, refused: (what, why) => runtime.recordRefusal({ reason: REASONS[why], what, who, scope, ...from }) };
}

function requestSource({ addressOf }: WebRuntime, sent: Headers): Pick<Refusal, 'address' | 'requestId'> {
  return { address: addressOf(sent), requestId: sent.get('x-request-id') };
}
