/**
 * Defects to put into the product, one at a time, to see whether the model test finds them.
 *
 * @typedef {object} Mutant
 * @property {string} name
 * @property {string} file
 * @property {string} from Exact text, which the file has once.
 * @property {string} to
 * @property {string} [profile] The kind of history that finds it soonest; all kinds if absent.
 * @property {string} [notRun] Why the model test need not find it: it changes nothing, or another test finds it.
 */

const payments = (file) => `lib/payments/${file}`;

/** @type {readonly Mutant[]} */
export const MUTANTS = [
  // Payment requests.
  {
    name: 'open prompts reserve nothing',
    file: 'lib/bills/rules.ts',
    from: 'roundUpToShilling(amount - paidAmount) - reservedAmount;',
    to: 'roundUpToShilling(amount - paidAmount);',
  },
  {
    name: 'a bill that was paid while the prompt waited is asked for',
    profile: 'money',
    file: payments('attempts/work-attempt.ts'),
    from: "if (facts.tooMuch) return endUnsent(runtime, attempt, { kind: 'overtaken' });",
    to: '',
  },
  {
    name: 'a prompt that was interrupted is sent again',
    profile: 'leasesLost',
    file: payments('attempts/work-attempt.ts'),
    from: "case 'SENDING':\n      return applyResult(runtime, attempt, { kind: 'unknown' });",
    to: "case 'SENDING':\n      return applyResult(runtime, attempt, { kind: 'not_sent' });",
  },
  {
    name: 'an attempt whose answer was lost is sent through another account',
    file: payments('rules.ts'),
    from: "return outcome.kind === 'not_sent' || refusesMerchant(outcome)",
    to: "return outcome.kind === 'not_sent' || outcome.kind === 'unknown' || refusesMerchant(outcome)",
  },
  {
    name: 'an attempt of which an earlier answer was lost is sent through another account',
    file: payments('rules.ts'),
    from: 'if (answerLostAt !== null || acknowledgedAt !== null) return false;',
    to: 'if (acknowledgedAt !== null) return false;',
  },
  {
    name: 'a prompt that is not found is sent again where duplicates are not refused',
    profile: 'leasesLost',
    file: payments('rules.ts'),
    from: "attempt.state === 'UNKNOWN' && pace.refusesDuplicates && isNotShown",
    to: "attempt.state === 'UNKNOWN' && isNotShown",
  },
  {
    name: 'a released prompt is sent again',
    profile: 'leasesLost',
    file: payments('rules.ts'),
    from: 'before >= pace.giveUpMs || attempt.releasedAt !== null',
    to: 'before >= pace.giveUpMs',
  },
  {
    name: 'a prompt is released before a quarter of an hour has passed',
    file: payments('attempts/release-attempt.ts'),
    from: 'if (now < from) return',
    to: 'if (now < attempt.unknownSince) return',
  },
  {
    name: 'a time-out is a failure',
    profile: 'leasesLost',
    file: payments('rules.ts'),
    from: "return { ...base, state: 'UNKNOWN', dueAt: addMs(now, pace.unknownQueryMs), evidence: evidence ?? lost };",
    to: "return { ...base, state: 'FAILED', failureReason: 'provider_unavailable', evidence: evidence ?? lost };",
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
    profile: 'leasesLost',
    file: payments('attempts/lease-store.ts'),
    from: "locked.id AND h.lease_token = locked.lease_token\n         WHERE a.id = locked.id AND locked.state = 'SENDING' RETURNING a.id`",
    to: 'locked.id\n         WHERE a.id = locked.id RETURNING a.id`',
  },
  {
    name: 'a worker that lost its lease says what was not done',
    profile: 'leasesLost',
    file: payments('attempts/apply-outcomes.ts'),
    from: "if ((NEGATIVE.includes(outcome.kind) || source === 'gateway') && leaseToken !== attempt.leaseToken) return null;",
    to: '',
  },
  {
    name: 'the fencing token never grows',
    profile: 'leasesLost',
    file: payments('attempts/claim-attempts.ts'),
    from: 'lease_token = a.lease_token + taken.claimed::int,',
    to: 'lease_token = a.lease_token,',
  },
  {
    name: 'a worker that lost its lease says when to look next',
    profile: 'leasesLost',
    file: payments('move-store.ts'),
    from: 'WHERE id = $id AND state = $state AND lease_token = $leaseToken`',
    to: 'WHERE id = $id AND state = $state AND $leaseToken::int IS NOT NULL`',
  },
  {
    name: 'a worker that lost its lease asks about the prompt',
    profile: 'leasesLost',
    file: payments('attempts/work-attempt.ts'),
    from: "if (old && (await renew(runtime, attempt)) !== 'held') return leaseLost(runtime, attempt);",
    to: '',
  },
  {
    name: 'a worker that lost its lease puts the prompt back into the queue',
    profile: 'leasesLost',
    file: payments('attempts/lease-store.ts'),
    from: "WHERE id = $id AND state = 'SENDING' AND lease_token = $leaseToken`",
    to: "WHERE id = $id AND state = 'SENDING' AND $leaseToken::int IS NOT NULL`",
  },
  // Messages of the provider.
  {
    name: 'a callback for an unknown prompt is dropped',
    file: payments('callbacks/apply-callback.ts'),
    from: 'if (content.outcome) {',
    to: "if (content.outcome && attempt.state !== 'UNKNOWN') {",
  },
  {
    name: 'an unsigned callback for a prompt that has ended is dropped',
    profile: 'leasesLost',
    file: payments('attempts/hint-store.ts'),
    from: "locked.state IN ('SENDING', 'AWAITING_CUSTOMER', 'UNKNOWN', 'FAILED', 'EXPIRED')",
    to: "locked.state IN ('SENDING', 'AWAITING_CUSTOMER', 'UNKNOWN')",
  },
  {
    name: 'an unsigned callback during a call is forgotten when the call ends the prompt',
    profile: 'leasesLost',
    file: payments('move-store.ts'),
    from: "CASE WHEN a.hinted AND m.next IN ('AWAITING_CUSTOMER', 'UNKNOWN', 'FAILED', 'EXPIRED') THEN $now ELSE m.due_at END",
    to: 'm.due_at',
  },
  {
    name: 'a prompt that has ended is asked about once after a callback',
    file: payments('query-times.ts'),
    from: 'if (doubtful && queryCount < SETTLED_QUERIES) return nextQuery(attempt, pace, now);',
    to: 'if (doubtful && queryCount < 0) return nextQuery(attempt, pace, now);',
  },
  {
    name: 'an unsigned callback that claims a payment is forgotten once the provider denies it',
    file: payments('query-times.ts'),
    from: 'const doubtful = inconclusive || (unpaid && claimedPaidAt !== null);',
    to: 'const doubtful = inconclusive;',
  },
  {
    name: 'a prompt that ran out is never asked about again',
    profile: 'leasesLost',
    file: payments('query-times.ts'),
    from: 'return refusedAtOnce || !mayComeLate(attempt, reason) ? null : addMs(now, FOLLOW_UPS_MS[0]);',
    to: 'return null;',
  },
  {
    name: 'a stored message that was not applied is left',
    file: payments('messages/unhandled-store.ts'),
    from: 'WHERE handled_at IS NULL AND due_at <= $now ORDER BY',
    to: 'WHERE handled_at IS NOT NULL AND due_at <= $now ORDER BY',
  },
  {
    name: 'an answer that the database did not take is given up',
    file: payments('attempts/retry-write.ts'),
    from: 'if (last || !(isDatabaseUnavailable(error) || isOverloaded(error))) throw error;',
    to: 'if (last || error) throw error;',
  },
  {
    name: 'a callback is believed about a prompt of another till',
    file: payments('store.ts'),
    from: 'AND c.till_id = (SELECT till_id FROM provider_account WHERE id = w.account_id)',
    to: 'AND w.account_id IS NOT NULL',
  },
  {
    name: 'a payment that went back is not believed',
    profile: 'money',
    file: payments('attempts/book-outcomes.ts'),
    from: "if (outcome.kind !== 'reversed') return;\n  const payment",
    to: 'if (outcome.kind) return;\n  const payment',
  },
  {
    name: 'a denial of a payment asks nobody',
    file: payments('rules.ts'),
    from: "return state === 'SUCCEEDED' ? { ...NO_EFFECTS, state, providerReference, review: 'contradiction' } : null;",
    to: 'return null;',
  },
  // The ledger.
  {
    name: 'late money is not attached to its bill',
    file: payments('attempts/book-outcomes.ts'),
    from: 'const allocate = decision.payment.allocate || !(await hasPayment(tx, attempt.id));',
    to: 'const allocate = !decision.payment.late && (decision.payment.allocate || !(await hasPayment(tx, attempt.id)));',
  },
  {
    name: 'late money does not say so',
    file: payments('ledger/ledger-store.ts'),
    from: '      late,\n      amountDiffers,',
    to: '      late: false,\n      amountDiffers,',
  },
  {
    name: 'an amount that differs does not say so',
    file: payments('ledger/book-payment.ts'),
    from: 'amountDiffers: one.amount !== one.attempt.amount',
    to: 'amountDiffers: one.amount < 0n',
  },
  {
    name: 'the bill is not locked',
    file: 'lib/bills/change-bill.ts',
    from: 'ORDER BY b.id FOR UPDATE`',
    to: 'ORDER BY b.id FOR KEY SHARE`',
  },
  {
    name: 'the payment is not locked',
    profile: 'money',
    file: payments('ledger/balance-store.ts'),
    from: 'await LOCK_PAYMENT.rows(tx, payment);',
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
    profile: 'money',
    file: payments('ledger/allocate-payment.ts'),
    from: 'taken <= 0n || taken > unmatched',
    to: 'taken <= 0n',
  },
  {
    name: 'a second receipt of one prompt counts for its bill',
    profile: 'money',
    file: payments('rules.ts'),
    from: 'payment: { transactionId, amount, late: false, allocate: false } };',
    to: 'payment: { transactionId, amount, late: false, allocate: true } };',
  },
  {
    name: 'a receipt of another prompt asks nobody',
    profile: 'money',
    file: payments('ledger/book-payment.ts'),
    from: "} else if (entered.kind === 'conflict') {",
    to: "} else if (entered.kind === 'conflict' && !about) {",
  },
  {
    name: 'a receipt that is reported with another amount asks nobody',
    profile: 'money',
    file: payments('ledger/book-payment.ts'),
    from: 'entered.earlier.amount === amount || payment.assumed',
    to: 'entered.earlier.amount > 0n || payment.assumed',
  },
  {
    name: 'a second fact is not added to an open review',
    profile: 'money',
    file: 'lib/reviews/open-review.ts',
    from: 'if (open.known) return { added: false };',
    to: 'if (open) return { added: false };',
  },
  // Reversals.
  {
    name: 'a reversal of unknown size asks nobody',
    profile: 'money',
    file: payments('ledger/book-reversal.ts'),
    from: 'if (amount === null && requested === null)',
    to: 'if (amount === null && requested === 0n)',
  },
  {
    name: 'a refund is sent again after its worker died',
    profile: 'money',
    file: 'lib/payments/reversals/work-reversal.ts',
    from: "return applyReversalOutcome(runtime, request, payment, { kind: 'unknown' }, pace);",
    to: "return applyReversalOutcome(runtime, request, payment, { kind: 'not_sent' }, pace);",
  },
  {
    name: 'what goes back is taken from bills first',
    profile: 'money',
    file: payments('ledger/reversal-rules.ts'),
    from: ': reversed - least(reversed, unmatched);',
    to: ': reversed;',
  },
  {
    name: 'a reversal without name and amount is booked again',
    profile: 'money',
    file: payments('ledger/reversal-rules.ts'),
    from: 'if (withoutReceipt || (reversals.length > 0 && amount === null)) return known;',
    to: '',
  },
  {
    name: 'the time of a payment is lost when the payment goes back',
    profile: 'money',
    file: 'lib/bills/change-bill.ts',
    from: "paidAt: before.paidAt ?? (status === 'FULLY_PAID' ? now : null),",
    to: "paidAt: status === 'FULLY_PAID' ? (before.paidAt ?? now) : null,",
  },
  // Not run.
  {
    name: 'what is refunded outside is sent back too',
    file: 'lib/payments/reversals/request-reversal.ts',
    from: 'const left = refundedOutside ? kept - unmatched : kept;',
    to: 'const left = kept;',
    notRun: 'the books of the model do not know what is refunded outside Bili; lib/payments/reversals/outside.test.ts finds it',
  },
  {
    name: 'a worker that lost its lease sends a refund',
    file: 'lib/payments/reversals/work-reversal.ts',
    from: 'if (!(await holdRequest(runtime.db, request, leaseUntil()))) return;',
    to: '',
    notRun: 'the money is sent once, by the wrong worker, and is booked when it is seen; lib/payments/reversals/reversal.test.ts finds it',
  },
  {
    name: 'a prompt that may have been sent is ended as never sent',
    file: payments('rules.ts'),
    from: 'if (answerLostAt === null) return { ...NO_EFFECTS',
    to: 'if (answerLostAt !== undefined) return { ...NO_EFFECTS',
    notRun: 'the model needs a lost answer, a release and a denial, in this order; lib/payments/rules.test.ts finds it',
  },
  {
    name: 'a receipt that the prompt has counts as new',
    file: payments('ledger/ledger-store.ts'),
    from: "if (earlier.attemptId === attempt.id) return { kind: 'known', earlier };",
    to: "if (earlier.attemptId === attempt.id) return { kind: 'inserted' };",
    notRun: 'only the first payment of a prompt is attached, which rules.ts decides before',
  },
  {
    name: 'an interrupted refund is asked about at once',
    file: 'lib/payments/reversals/work-reversal.ts',
    from: "if (request.previousState === 'SENDING') return applyReversalOutcome(runtime, request, payment, { kind: 'unknown' }, pace);",
    to: '',
    notRun: 'what is not QUEUED is asked about and never sent',
  },
  {
    name: 'an interrupted refund is sent where it would be asked about',
    file: 'lib/payments/reversals/work-reversal.ts',
    from: "const isQuery = request.previousState !== 'QUEUED';",
    to: "const isQuery = request.previousState === 'UNKNOWN';",
    notRun: 'an interrupted refund is concluded as unknown before it comes to that',
  },
  {
    name: 'after a denial the provider is not asked again',
    file: payments('attempts/apply-outcomes.ts'),
    from: "if (decision.review === 'contradiction' && source === 'callback') await queryAgain(tx, attemptId, now);",
    to: '',
    notRun: 'a person is asked all the same; lib/payments/attempts/apply-outcome.test.ts finds it',
  },
  {
    name: 'a connection that is reset counts as never made',
    file: 'lib/providers/port/raw-answer.ts',
    from: "(error.sent ? 'unknown' : 'not_sent')",
    to: "'not_sent'",
    notRun: 'the provider of the model has no HTTP; lib/providers/*/contract.test.ts find it',
  },
  {
    name: 'a key is remembered for ever',
    file: 'lib/bills/create/idempotency-store.ts',
    from: 'AND key = $key AND expires_at > $now`',
    to: 'AND key = $key AND $now::timestamptz IS NOT NULL`',
    notRun: 'the model sends no Idempotency-Key; lib/http/contract.test.ts finds it',
  },
  {
    name: 'a key stands for any request',
    file: 'lib/bills/create/idempotency.ts',
    from: "if (Buffer.compare(stored.requestHash, requestHash) !== 0) return fail({ code: 'idempotency_key_reused' });",
    to: '',
    notRun: 'the model sends no Idempotency-Key; lib/http/contract.test.ts finds it',
  },
  {
    name: 'money of one environment pays a bill of the other',
    file: payments('ledger/allocate-to-bill.ts'),
    from: "if (bill.environment !== payment.environment) return fail('other_environment');",
    to: '',
    notRun: 'the model has one environment; lib/payments/operator.test.ts finds it',
  },
];
