import { listChains } from '@/lib/audit/chain-store';
import { describeBreak } from '@/lib/audit/describe-break';
import { verifyChain } from '@/lib/audit/verify-chain';
import { MINUTE_MS } from '@/lib/core/clock';
import type { Runtime } from '@/lib/runtime/runtime';
import { type Finding, finding } from './finding';

/** Number of entries that are checked, so that the check is cheap. "bili audit verify" checks all. */
const NEWEST = 1_000n;
const UNSEALED_MS = 5 * MINUTE_MS;

/** Checks the newest entries of every chain of the audit log, and that no entry stays unsealed for long. */
export async function examineAudit(runtime: Runtime): Promise<Finding[]> {
  const broken: string[] = [];
  const waiting: string[] = [];
  for (const chain of await listChains(runtime.db)) {
    const { broken: problem, tail } = await verifyChain(runtime, { chain, newest: NEWEST });
    if (problem) broken.push(`${chain}: ${describeBreak(problem, 'en')}`);
    if (tail.oldest && runtime.clock().getTime() - tail.oldest.getTime() > UNSEALED_MS)
      waiting.push(`${chain}: unsealed entries: ${tail.count}, the oldest from ${tail.oldest.toISOString()}; check that a worker runs`);
  }
  return [
    finding('audit_chain', `The newest ${NEWEST} entries of each chain of the audit log are unchanged.`, broken),
    finding('audit_sealed', 'The audit log is sealed.', waiting, 'note'),
  ];
}
