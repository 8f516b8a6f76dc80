import type { Books } from './books';
import type { World } from './world';

export const sum = (rows: readonly { readonly amount: number }[]) => rows.reduce((total, { amount }) => total + amount, 0);

/** Groups rows by a key. */
export const group = <Row>(rows: readonly Row[], key: (row: Row) => string | null): Map<string | null, Row[]> => Map.groupBy(rows, key);

/** Compares the ledger with the provider's record. Returns violations as sentences. */
export function findLedgerWrongs(world: World): string[] {
  return [
    ...wrongLedger(world),
    ...wrongMarks(world),
    ...forgotten(world),
    ...wronglyBooked(world),
    ...unbooked(world),
    ...wrongColumns(world),
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
    const reversals = books.payments.filter(({ reverses_id }) => reverses_id === payment.id);
    const allocated = sum([payment, ...reversals].flatMap(({ id }) => allocations.get(id) ?? []));
    const back = sum(reversals);
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

/** Returns what is left of a payment, what bills have of it, and what was refunded outside Bili. */
export function readShares(books: Books, { id, amount }: Pick<Books['payments'][number], 'id' | 'amount'>) {
  const reversals = books.payments.filter(({ reverses_id }) => reverses_id === id);
  const own = new Set([id, ...reversals.map((reversal) => reversal.id)]);
  const allocated = sum(books.allocations.filter(({ payment_id }) => own.has(payment_id)));
  const marked = sum(books.marks.filter(({ payment_id }) => payment_id === id));
  const free = amount - sum(reversals) - allocated;
  return { allocated, marked, unmatched: Math.max(free - marked, 0), kept: amount - sum(reversals), free };
}

/** Money that was refunded outside Bili pays no bill. Reversals and corrections take it only after all that bills have. */
function wrongMarks({ books }: World): string[] {
  return books.payments
    .filter(({ id, kind }) => kind === 'payment' && books.marks.some(({ payment_id }) => payment_id === id))
    .flatMap((payment) => {
      const { allocated, marked, free } = readShares(books, payment);
      return marked > free && allocated > 0
        ? [
            `of ${payment.provider_transaction_id} bills have ${allocated}, and ${marked} are refunded outside, and ${free} are left for that`,
          ]
        : [];
    });
}

/** `amount_differs` of a payment says whether its amount differs from the amount of its attempt. */
function wrongColumns({ books, corrected, tillOf }: World): string[] {
  return books.payments
    .filter(({ kind, provider_account_id, provider_transaction_id: receipt }) => {
      return kind === 'payment' && !corrected.has(`${tillOf(provider_account_id)} ${receipt}`);
    })
    .flatMap(({ attempt_id, amount, amount_differs, provider_transaction_id: receipt }) => {
      const asked = books.attempts.find(({ id }) => id === attempt_id)?.amount;
      const differs = asked !== undefined && asked !== amount;
      return amount_differs === differs
        ? []
        : [`${receipt} says ${amount_differs ? '' : 'not '}that its amount differs from what was asked`];
    });
}
