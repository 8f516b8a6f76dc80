/**
 * Defects to put into the product, one at a time, to see whether the model test finds them.
 *
 * @typedef {object} Mutant
 * @property {string} name
 * @property {string} file
 * @property {string} from Exact text, which the file has once.
 * @property {string} to
 * @property {string} [harmless] Why the model test cannot, or need not, find it. Then it is not run.
 */

const payments = (file) => `lib/payments/${file}`;

/** @type {readonly Mutant[]} */
export const MUTANTS = [
  // Money is asked for.
  {
    name: 'open prompts reserve nothing',
    file: 'lib/bills/rules.ts',
    from: 'roundUpToShilling(amount - paidAmount) - reservedAmount;',
    to: 'roundUpToShilling(amount - paidAmount);',
  },
  {
    name: 'a bill that was paid while the prompt waited is asked for',
    file: payments('work-attempt.ts'),
    from: 'if (await asksTooMuch(runtime.db, attempt))',
    to: 'if (false)',
  },
  {
    name: 'a prompt that was interrupted is sent again',
    file: payments('work-attempt.ts'),
    from: "return conclude(runtime, attempt, { kind: 'unknown' });",
    to: "return conclude(runtime, attempt, { kind: 'not_sent' });",
  },
  {
    name: 'a prompt that is not found is sent again where duplicates are not refused',
    file: payments('rules.ts'),
    from: "attempt.state === 'UNKNOWN' && pace.refusesDuplicates)",
    to: "attempt.state === 'UNKNOWN')",
  },
  {
    name: 'a released prompt is sent again',
    file: payments('rules.ts'),
    from: 'before >= pace.giveUpMs || attempt.releasedAt !== null',
    to: 'before >= pace.giveUpMs',
  },
  {
    name: 'a prompt is released before a quarter of an hour has passed',
    file: payments('release-attempt.ts'),
    from: 'if (now < from) return',
    to: 'if (now < attempt.unknownSince) return',
  },
  {
    name: 'a time-out is a failure',
    file: payments('rules.ts'),
    from: "if (attempt.state === 'SENDING') return { ...keep, state: 'UNKNOWN', dueAt: addMs(now, pace.unknownQueryMs) };",
    to: "if (attempt.state === 'SENDING') return { ...keep, state: 'FAILED', failureReason: 'provider_unavailable' };",
  },
  {
    name: 'a prompt expires by our clock',
    file: payments('rules.ts'),
    from: "> addMs(attempt.sentAt, pace.promptMs) ? 'UNKNOWN' :",
    to: "> addMs(attempt.sentAt, pace.promptMs) ? 'EXPIRED' :",
  },
  // Leases.
  {
    name: 'a worker that lost its lease sends the prompt',
    file: payments('lease-store.ts'),
    from: "WHERE id = $1 AND state = 'SENDING' AND lease_token = $3 RETURNING 1 AS ours`,\n    },\n    [attempt.id, accountId, attempt.leaseToken, leaseUntil, counted],",
    to: 'WHERE id = $1 AND $3::int IS NOT NULL RETURNING 1 AS ours`,\n    },\n    [attempt.id, accountId, attempt.leaseToken, leaseUntil, counted],',
  },
  {
    name: 'a worker that lost its lease says what was not done',
    file: payments('apply-outcome.ts'),
    from: "if ((NEGATIVE.includes(outcome.kind) || source === 'gateway') && leaseToken !== attempt.leaseToken) return;",
    to: '',
  },
  {
    name: 'the fencing token never grows',
    file: payments('store.ts'),
    from: 'lease_token = a.lease_token + 1,',
    to: 'lease_token = a.lease_token,',
  },
  {
    name: 'a worker that lost its lease says when to look next',
    file: payments('store.ts'),
    from: 'WHERE id = $1 AND state = $2 AND lease_token = $3`,\n    },\n    [attempt.id, attempt.state, leaseToken, dueAt, providerReference, now],',
    to: 'WHERE id = $1 AND state = $2 AND $3::int IS NOT NULL`,\n    },\n    [attempt.id, attempt.state, leaseToken, dueAt, providerReference, now],',
  },
  {
    name: 'a worker that lost its lease asks about the prompt',
    file: payments('work-attempt.ts'),
    from: "if ((await renew(runtime, attempt)) !== 'held') return leaseLost(runtime, attempt);",
    to: '',
  },
  {
    name: 'a worker that lost its lease puts the prompt back into the queue',
    file: payments('lease-store.ts'),
    from: "WHERE id = $1 AND state = 'SENDING' AND lease_token = $3 RETURNING 1 AS ours`,\n    },\n    [attempt.id, accountId, attempt.leaseToken, notBefore],",
    to: "WHERE id = $1 AND state = 'SENDING' AND $3::int IS NOT NULL RETURNING 1 AS ours`,\n    },\n    [attempt.id, accountId, attempt.leaseToken, notBefore],",
  },
  // What the provider says is followed.
  {
    name: 'a callback for an unknown prompt is dropped',
    file: payments('receive-callback.ts'),
    from: '} else if (said.outcome) {',
    to: "} else if (said.outcome && attempt.state !== 'UNKNOWN') {",
  },
  {
    name: 'an unsigned callback for a prompt that has ended is dropped',
    file: payments('store.ts'),
    from: "state IN ('SENDING', 'AWAITING_CUSTOMER', 'UNKNOWN', 'FAILED', 'EXPIRED') AND provider_account_id IS NOT NULL",
    to: "state IN ('SENDING', 'AWAITING_CUSTOMER', 'UNKNOWN') AND provider_account_id IS NOT NULL",
  },
  {
    name: 'an unsigned callback during a call is forgotten when the call ends the prompt',
    file: payments('store.ts'),
    from: "CASE WHEN hinted AND $3::attempt_state IN ('AWAITING_CUSTOMER', 'UNKNOWN', 'FAILED', 'EXPIRED') THEN $7 ELSE $6::timestamptz END",
    to: '$6::timestamptz',
  },
  {
    name: 'a prompt that has ended is asked about once only',
    file: payments('rules.ts'),
    from: 'return inconclusive && attempt.queryCount < SETTLED_QUERIES ? nextQuery(attempt, pace, now) : null;',
    to: 'return inconclusive && attempt.queryCount < 0 ? nextQuery(attempt, pace, now) : null;',
  },
  {
    name: 'a callback is believed about a prompt of another till',
    file: payments('store.ts'),
    from: 'WHERE a.our_reference = $1 AND c.till_id = (SELECT till_id FROM provider_account WHERE id = $2)`',
    to: 'WHERE a.our_reference = $1 AND $2::uuid IS NOT NULL`',
  },
  {
    name: 'a payment that went back is not believed',
    file: payments('apply-outcome.ts'),
    from: "if (outcome.kind !== 'reversed') return;\n  const payment",
    to: 'if (outcome.kind) return;\n  const payment',
  },
  {
    name: 'a denial of a payment asks nobody',
    file: payments('rules.ts'),
    from: "return state === 'SUCCEEDED' ? { ...SETTLED, state, providerReference, review: 'contradiction' } : null;",
    to: 'return null;',
  },
  // The ledger.
  {
    name: 'late money is not attached to its bill',
    file: payments('rules.ts'),
    from: "return { ...keep, state: 'SUCCEEDED', payment: { transactionId, amount, late, allocate: true } };",
    to: "return { ...keep, state: 'SUCCEEDED', payment: { transactionId, amount, late, allocate: !late } };",
  },
  {
    name: 'late money does not say so',
    file: payments('book-payment.ts'),
    from: '    late,\n    amountDiffers,',
    to: '    late: false,\n    amountDiffers,',
  },
  {
    name: 'an amount that differs does not say so',
    file: payments('book-payment.ts'),
    from: 'const amountDiffers = amount !== attempt.amount;',
    to: 'const amountDiffers = amount < 0n;',
  },
  {
    name: 'the bill is not locked',
    file: 'lib/bills/change-bill.ts',
    from: 'WHERE b.id = ANY ($1::uuid[]) ORDER BY b.id FOR UPDATE`',
    to: 'WHERE b.id = ANY ($1::uuid[]) ORDER BY b.id`',
  },
  {
    name: 'the payment is not locked',
    file: payments('balance-store.ts'),
    from: "await tx.query({ text: 'SELECT 1 FROM payment WHERE id = $1 FOR UPDATE' }, [payment.id]);",
    to: '',
  },
  {
    name: 'a bill that is paid less is not announced',
    file: 'lib/bills/change-bill.ts',
    from: 'const changed = status !== before.status;',
    to: 'const changed = status !== before.status && change.paid >= 0n;',
  },
  {
    name: 'more is attached than a payment has left',
    file: payments('allocate-payment.ts'),
    from: 'taken <= 0n || taken > unmatched',
    to: 'taken <= 0n',
  },
  {
    name: 'a second receipt of one prompt counts for its bill',
    file: payments('rules.ts'),
    from: 'payment: { transactionId, amount, late: false, allocate: false } };',
    to: 'payment: { transactionId, amount, late: false, allocate: true } };',
  },
  {
    name: 'a receipt of another prompt asks nobody',
    file: payments('book-payment.ts'),
    from: "} else if (entered.kind === 'conflict') {",
    to: "} else if (entered.kind === 'conflict' && !about) {",
  },
  // Money that goes back.
  {
    name: 'a refund is sent again after its worker died',
    file: 'lib/reversals/work-reversal.ts',
    from: "if (request.previousState === 'SENDING') return conclude(runtime, request, payment, { kind: 'unknown' }, pace);",
    to: "if (request.previousState === 'SENDING') return conclude(runtime, request, payment, { kind: 'not_sent' }, pace);",
  },
  {
    name: 'what goes back is taken from bills first',
    file: payments('reversal-rules.ts'),
    from: ': back - least(back, unmatched);',
    to: ': back;',
  },
  {
    name: 'a reversal without name and amount is booked again',
    file: payments('reversal-rules.ts'),
    from: 'if (nameless || (reversals.length > 0 && amount === null)) return known;',
    to: '',
  },
  {
    name: 'what is refunded outside is sent back too',
    file: 'lib/reversals/request-reversal.ts',
    from: 'const left = refundedOutside ? kept - unmatched : kept;',
    to: 'const left = kept;',
  },
];
