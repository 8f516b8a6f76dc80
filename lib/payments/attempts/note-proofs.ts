import type { Database } from '@/lib/db/database';
import { isOpen } from '@/lib/payments/state';
import { addProof, type Proof } from '@/lib/providers/accounts/proof-store';
import { refusesCustomer } from '@/lib/providers/accounts/refusal-rules';
import type { Runtime } from '@/lib/runtime/runtime';
import type { Decided } from './apply-outcomes';

/** The proofs that this process knows to be stored, by database. So it does not store them again at every outcome. */
const stored = new WeakMap<Database, Set<string>>();

/**
 * Records what committed outcomes prove about their accounts. Runs after the commit, so that payments of an account never wait for each
 * other here. A proof that cannot be stored is logged, and the next such outcome stores it.
 */
export async function noteProofs({ db, log }: Pick<Runtime, 'db' | 'log'>, decided: readonly Decided[], now: Date): Promise<void> {
  const known = stored.get(db) ?? new Set();
  stored.set(db, known);
  for (const one of decided) {
    const accountId = one.providerAccountId ?? one.attempt.providerAccountId;
    if (accountId === null) continue;
    for (const kind of proofsOf(one)) {
      const key = `${accountId} ${kind}`;
      if (known.has(key)) continue;
      try {
        if (await addProof(db, { accountId, kind, attemptId: one.attempt.id, now })) known.add(key);
      } catch (err) {
        log.warn({ attemptId: one.attempt.id, account: accountId, proof: kind, err }, 'a proof of an account could not be stored');
      }
    }
  }
}

/** Returns what an outcome proves about its account. Pure. */
export function proofsOf({ attempt, decision, outcome, source }: Pick<Decided, 'attempt' | 'decision' | 'outcome' | 'source'>): Proof[] {
  if (decision.state === attempt.state || isOpen(decision.state)) return [];
  const settled: Proof[] = attempt.state === 'UNKNOWN' ? ['unknown'] : [];
  if (source !== 'answer' && source !== 'status' && source !== 'callback') return settled;
  if (outcome.kind === 'failed' && refusesCustomer(outcome.reason)) return [...settled, 'refusal'];
  if (outcome.kind !== 'paid' || source === 'answer') return settled;
  // An unsigned callback that reports a payment proves that callbacks arrive, although a status query had to confirm the payment.
  return [...settled, source === 'callback' || attempt.claimedPaidAt !== null ? 'callback' : 'query'];
}
