import { type PublicVisit, publicPage } from '@/app/public-page';
import { htmlResponse } from '@/components/pay/render';
import { type Checked, VERIFY_PARTS, VerifyDocument } from '@/components/pay/verify-page';
import { verifyReceipt } from '@/lib/gateway/receipts/verify-receipt';

/** The maximum length of the entered code. The code of a receipt is shorter, even with spaces between its characters. */
const TYPED_MAX = 40;
const STATUSES = { genuine: 200, unknown: 404, malformed: 422, busy: 429 } as const;

async function show(visit: PublicVisit): Promise<Response> {
  const { runtime, environment, id, query, locale } = visit;
  const typed = (query.get('code') ?? '').trim();
  const checked = typed === '' ? null : await check(visit, typed);
  if (checked) runtime.log.info({ requestId: id, environment, checked: checked.kind }, 'receipt checked');
  const page = <VerifyDocument checked={checked} typed={typed.slice(0, TYPED_MAX)} now={runtime.clock()} locale={locale} />;
  const response = await htmlResponse(page, checked ? STATUSES[checked.kind] : 200, id, VERIFY_PARTS);
  if (checked?.kind === 'busy') response.headers.set('retry-after', '60');
  return response;
}

async function check({ runtime, environment, address }: PublicVisit, typed: string): Promise<Checked> {
  if (!runtime.limits.takeCheck(address).allowed) return { kind: 'busy' };
  return typed.length > TYPED_MAX ? { kind: 'malformed' } : verifyReceipt(runtime, environment, typed);
}

export const verify = publicPage(show);
