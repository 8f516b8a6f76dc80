'use server';

import type { VerifyState } from '@/components/dashboard/audit/verify-form';
import { formatHead } from '@/lib/audit/chain-rules';
import { describeBreak } from '@/lib/audit/describe-break';
import { verifyMerchantChain } from '@/lib/audit/log/verify-merchant-chain';
import { openAction } from '@/lib/server/visit';

export async function verifyAction(_before: VerifyState, form: FormData): Promise<VerifyState> {
  const { runtime, access, locale } = await openAction(form, 'audit');
  const found = await verifyMerchantChain(runtime, access);
  if (!found) return { kind: 'none' };
  const { broken, rows, head, tail } = found;
  if (broken) return { kind: 'broken', text: describeBreak(broken, locale), tail: tail.count };
  return { kind: 'holds', rows, tail: tail.count, head: head && formatHead(head) };
}
