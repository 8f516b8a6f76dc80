import type { Books } from './books';
import type { World } from './world';

export const sum = (rows: readonly { readonly amount: number }[]) => rows.reduce((total, { amount }) => total + amount, 0);

export const isOpenRefund = ({ state }: Books['refunds'][number]) => state !== 'DONE' && state !== 'FAILED';

/** Groups rows by a key. */
export const group = <Row>(rows: readonly Row[], key: (row: Row) => string | null): Map<string | null, Row[]> => Map.groupBy(rows, key);

/** Compares the ledger with the provider's record. Returns violations as sentences. */
export function findLedgerWrongs(world: World): string[] {
  return [
    ...wrongLedger(world),
    ...wrongShares(world),
    ...wrongPayouts(world),
    ...refundedTwice(world),
    ...forgotten(world),
    ...wronglyBooked(world),
    ...unbooked(world),
    ...wrongColumns(world),
    ...wrongCash(world),
  ];
}

/** The payment of a paid attempt is allocated to the attempt's bill, even if the bill was paid or closed before. */
function unbooked({ books, conflicts }: World): string[] {
  return books.attempts
    .filter(({ state }) => state === 'SUCCEEDED')
    .filter(({ our_reference }) => !conflicts.some(({ reference }) => reference === our_reference))
    .filter(({ id, bill_id }) => {
      const brought = books.payments.filter(({ kind, attempt_id }) => kind === 'payment' && attempt_id === id).map((payment) => payment.id);
      return !books.allocations.some((one) => one.bill_id === bill_id && brought.includes(one.payment_id));
    })
    .map(({ our_reference }) => `${our_reference} is SUCCEEDED, and its bill has nothing of it`);
}

/** Bili allocates only the first of several payments for one attempt. The others stay unmatched until a person allocates them. */
function wronglyBooked({ books, corrected, tillOf }: World): string[] {
  const booked = new Set(books.allocations.filter(({ created_by }) => created_by === 'gateway').map(({ payment_id }) => payment_id));
  const byAttempt = group(
    books.payments.filter(
      ({ id, kind, attempt_id, provider_account_id, provider_transaction_id: receipt }) =>
        // A person may have said that the first payment never happened.
        kind === 'payment' && attempt_id !== null && booked.has(id) && !corrected.has(`${tillOf(provider_account_id)} ${receipt}`),
    ),
    ({ attempt_id }) => attempt_id,
  );
  return [...byAttempt.values()]
    .filter((payments) => payments.length > 1)
    .map((payments) => `${payments.map(({ provider_transaction_id }) => provider_transaction_id).join(' and ')} both paid one prompt`);
}

/** The ledger contains every payment that was reported to the gateway. */
function forgotten(world: World): string[] {
  const { books, learned } = world;
  const booked = new Set(
    books.payments.map(
      ({ provider_account_id, provider_transaction_id }) => `${world.tillOf(provider_account_id)} ${provider_transaction_id}`,
    ),
  );
  return [...learned].filter((receipt) => !booked.has(receipt)).map((receipt) => `${receipt} was reported, and is not in the ledger`);
}

/** The ledger contains only money that the provider has, and each payment once. Reversed money is not allocated. */
function wrongLedger(world: World): string[] {
  const { books, provider, guessed, mistaken } = world;
  const allocations = group(books.allocations, ({ payment_id }) => payment_id);
  const payments = books.payments.filter(({ kind }) => kind === 'payment');
  return payments.flatMap((payment) => {
    const { provider_transaction_id: receipt, amount } = payment;
    const till = world.tillOf(payment.provider_account_id);
    const real = provider.findPayment(till, receipt);
    const expected = mistaken.get(`${till} ${receipt}`) ?? real?.amount;
    const twice = payments.some(
      (one) => one !== payment && one.provider_transaction_id === receipt && world.tillOf(one.provider_account_id) === till,
    );
    const returns = [...books.payments, ...books.byHand].filter(({ reverses_id }) => reverses_id === payment.id);
    const allocated = sum([payment, ...returns].flatMap(({ id }) => allocations.get(id) ?? []));
    const back = sum(returns.filter(({ kind }) => kind === 'reversal'));
    const reallyBack = sum(provider.reversalsOf(till, receipt));
    return [
      ...(real && expected === amount ? [] : [`${receipt} is booked with ${amount}, and should be with ${expected ?? 'nothing'}`]),
      ...(twice ? [`${receipt} is booked twice`] : []),
      ...(back <= reallyBack || guessed.has(`${till} ${receipt}`)
        ? []
        : [`of ${receipt} ${back} are booked as sent back, and ${reallyBack} were`]),
      ...(allocated >= 0 && allocated <= amount - back ? [] : [`of ${receipt}, with ${amount - back} kept, ${allocated} are allocated`]),
    ];
  });
}

/**
 * Returns the shares of a payment. `kept`: received less reversals. `given`: payouts and refunds by hand. `free`: what no bill has of `kept`.
 * `left`: what could still go back.
 */
export function readShares(books: Books, { id, amount }: Pick<Books['payments'][number], 'id' | 'amount'>) {
  const returns = [...books.payments, ...books.byHand].filter(({ reverses_id }) => reverses_id === id);
  const own = new Set([id, ...returns.map((one) => one.id)]);
  const allocations = group(
    books.allocations.filter(({ payment_id }) => own.has(payment_id)),
    ({ bill_id }) => bill_id,
  );
  const byBill = new Map([...allocations].map(([billId, rows]) => [billId, sum(rows)]));
  const allocated = sum([...allocations.values()].flat());
  const given = sum(returns.filter(({ kind }) => kind === 'refund'));
  const kept = amount - sum(returns.filter(({ kind }) => kind === 'reversal'));
  const free = kept - allocated;
  return { allocated, byBill, given, kept, free, unmatched: Math.max(free - given, 0), left: kept - Math.min(given, free) };
}

/** Money that went back pays no bill. Reversals and corrections take it only after all that bills have. */
function wrongShares({ books }: World): string[] {
  return [...books.payments, ...books.byHand]
    .filter(({ kind }) => kind === 'payment')
    .flatMap((payment) => {
      const { allocated, given, free } = readShares(books, payment);
      const receipt = payment.id;
      return given > free && allocated > 0
        ? [`of ${receipt} bills have ${allocated}, ${given} went back, and ${free} are left for that`]
        : [];
    });
}

/** The ledger contains only payouts that the provider has made, each once, for the refund that asked for it. Every entry has its refund. */
function wrongPayouts({ books, provider, tillOf }: World): string[] {
  const paidOut = books.payments.filter(({ kind }) => kind === 'refund');
  const unmade = paidOut.filter((entry) => {
    const refund = books.refunds.find(({ entry_id }) => entry_id === entry.id);
    return !provider.transactions.some(
      ({ kind, till, reference, amount }) =>
        kind === 'payout' && till === tillOf(entry.provider_account_id) && reference === refund?.our_reference && amount === entry.amount,
    );
  });
  const nameless = books.byHand.filter(
    ({ id, kind }) => kind === 'refund' && !books.refunds.some(({ way, entry_id }) => way === 'hand' && entry_id === id),
  );
  return [
    ...unmade.map(({ provider_transaction_id: receipt }) => `payout ${receipt} is booked, and the provider made no such payout`),
    ...nameless.map(({ id }) => `nobody asked for the refund by hand ${id}`),
  ];
}

/** Bili gives no more of a payment back than was received. What the provider reverses by itself does not count. */
function refundedTwice({ books, provider, corrected, tillOf }: World): string[] {
  return books.payments.flatMap(({ id, kind, provider_account_id, provider_transaction_id: receipt, amount }) => {
    // If a person mistyped the amount, more may go back than was received.
    if (kind !== 'payment' || corrected.has(`${tillOf(provider_account_id)} ${receipt}`)) return [];
    const refunds = books.refunds.filter(({ payment_id }) => payment_id === id);
    const sent = refunds.filter(({ our_reference }) => typeof provider.refundRequests.get(our_reference)?.state === 'object');
    const back = sum(sent) + sum(books.byHand.filter(({ reverses_id }) => reverses_id === id));
    const open = refunds.filter(isOpenRefund);
    return [
      ...(back > amount ? [`of ${receipt} ${amount} were received, and Bili gave ${back} back`] : []),
      ...(open.length > 1 ? [`${receipt} has ${open.length} open refunds`] : []),
    ];
  });
}

/** `amount_differs` of a payment says whether its amount differs from the amount of its attempt. */
function wrongColumns({ books, corrected, tillOf }: World): string[] {
  return books.payments
    .filter(({ kind, instrument_id, provider_account_id, provider_transaction_id: receipt }) => {
      return kind === 'payment' && instrument_id === null && !corrected.has(`${tillOf(provider_account_id)} ${receipt}`);
    })
    .flatMap(({ attempt_id, amount, amount_differs, provider_transaction_id: receipt }) => {
      const asked = books.attempts.find(({ id }) => id === attempt_id)?.amount;
      const differs = asked !== undefined && asked !== amount;
      return amount_differs === differs
        ? []
        : [`${receipt} says ${amount_differs ? '' : 'not '}that its amount differs from what was asked`];
    });
}

/**
 * The ledger contains the money that people received by hand, with the amounts that they said last, and it belongs to bills or is unmatched. Not
 * more of it goes back than came, unless a person has corrected the amount.
 */
function wrongCash({ books, cash, miscounted, frozen }: World): string[] {
  const received = books.byHand.filter(({ kind }) => kind === 'payment');
  return [
    ...received
      .filter(({ id, amount }) => !frozen && cash.get(id) !== amount)
      .map(({ id, amount }) => `${id} is booked with ${amount}, and a person received ${cash.get(id) ?? 'nothing'}`),
    ...[...cash.keys()]
      .filter((id) => !received.some((one) => one.id === id))
      .map((id) => `a person received ${id}, and it is not in the ledger`),
    ...received.flatMap((payment) => {
      const { allocated, given, unmatched } = readShares(books, payment);
      if (miscounted.has(payment.id) || allocated + given + unmatched === payment.amount) return [];
      return [`of ${payment.id} bills have ${allocated}, ${given} went back and ${unmatched} are left`];
    }),
    ...received
      .filter(({ id }) => books.refunds.filter((refund) => refund.payment_id === id && isOpenRefund(refund)).length > 1)
      .map(({ id }) => `${id} has several open refunds`),
  ];
}
