'use server';

import type { Verified } from '@/components/dashboard/audit/verify-form';
import { verifyMerchantChain } from '@/lib/backoffice/audit-log/audit-log';
import { formAction, ofMerchant } from '@/lib/entry/server/form-action';
import { formatHead } from '@/lib/identity/audit/chain-rules';
import { describeBreak } from '@/lib/identity/audit/verify-chain';

export const verifyAction = formAction(ofMerchant('audit'), {}, async ({ runtime, access, locale }): Promise<{ done?: Verified }> => {
  const found = await verifyMerchantChain(runtime, access);
  if (!found) return {};
  const { broken, rows, head, tail } = found;
  if (broken) return { done: { kind: 'broken', text: describeBreak(broken, locale) } };
  return { done: { kind: 'holds', rows, tail: tail.count, head: head && formatHead(head) } };
});
