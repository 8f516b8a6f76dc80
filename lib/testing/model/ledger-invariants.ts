import type { World } from './world';

export const sum = (rows: readonly { readonly amount: number }[]) => rows.reduce((total, { amount }) => total + amount, 0);

/** Groups rows by a key. */
export const group = <Row>(rows: readonly Row[], key: (row: Row) => string | null): Map<string | null, Row[]> => Map.groupBy(rows, key);

/** Compares the ledger with the provider's record. Returns violations as sentences. */
export function findLedgerWrongs(world: World): string[] {
  return [...wrongLedger(world), ...forgotten(world), ...wronglyBooked(world), ...unbooked(world), ...wrongColumns(world)];
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
function wronglyBooked({ books }: World): string[] {
  const booked = new Set(books.allocations.filter(({ created_by }) => created_by === 'gateway').map(({ payment_id }) => payment_id));
  const byAttempt = group(
    books.payments.filter(({ id, kind, attempt_id }) => kind === 'payment' && attempt_id !== null && booked.has(id)),
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
  const { books, provider, guessed } = world;
  const allocations = group(books.allocations, ({ payment_id }) => payment_id);
  const payments = books.payments.filter(({ kind }) => kind === 'payment');
  return payments.flatMap((payment) => {
    const { provider_transaction_id: receipt, amount } = payment;
    const till = world.tillOf(payment.provider_account_id);
    const real = provider.findPayment(till, receipt);
    const twice = payments.some(
      (one) => one !== payment && one.provider_transaction_id === receipt && world.tillOf(one.provider_account_id) === till,
    );
    const reversals = books.payments.filter(({ reverses_id }) => reverses_id === payment.id);
    const allocated = sum([payment, ...reversals].flatMap(({ id }) => allocations.get(id) ?? []));
    const back = sum(reversals);
    const reallyBack = sum(provider.reversalsOf(till, receipt));
    return [
      ...(real?.amount === amount ? [] : [`${receipt} is booked with ${amount}, and the provider has ${real?.amount ?? 'nothing'}`]),
      ...(twice ? [`${receipt} is booked twice`] : []),
      ...(back <= reallyBack || guessed.has(`${till} ${receipt}`)
        ? []
        : [`of ${receipt} ${back} are booked as sent back, and ${reallyBack} were`]),
      ...(allocated >= 0 && allocated <= amount - back ? [] : [`of ${receipt}, with ${amount - back} kept, ${allocated} are allocated`]),
    ];
  });
}

/** `amount_differs` of a payment says whether its amount differs from the amount of its attempt. */
function wrongColumns({ books }: World): string[] {
  return books.payments
    .filter(({ kind }) => kind === 'payment')
    .flatMap(({ attempt_id, amount, amount_differs, provider_transaction_id: receipt }) => {
      const asked = books.attempts.find(({ id }) => id === attempt_id)?.amount;
      const differs = asked !== undefined && asked !== amount;
      return amount_differs === differs
        ? []
        : [`${receipt} says ${amount_differs ? '' : 'not '}that its amount differs from what was asked`];
    });
}
