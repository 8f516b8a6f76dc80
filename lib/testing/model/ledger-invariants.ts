import { VARIANTS, type World } from './world';

export const sum = (rows: readonly { readonly amount: number }[]) => rows.reduce((total, { amount }) => total + amount, 0);

/** @returns rows by what they belong to. */
export const group = <Row>(rows: readonly Row[], key: (row: Row) => string | null): Map<string | null, Row[]> => Map.groupBy(rows, key);

/** What is wrong with the ledger, held against the provider's record, as sentences. */
export function findLedgerWrongs(world: World): string[] {
  return [...wrongLedger(world), ...forgotten(world), ...wronglyBooked(world), ...unbooked(world)];
}

/** What a prompt brought counts for its bill, paid already, closed or not. */
function unbooked({ books }: World): string[] {
  return books.attempts
    .filter(({ state }) => state === 'SUCCEEDED')
    .filter(({ id, bill_id }) => {
      const brought = books.payments.filter(({ kind, attempt_id }) => kind === 'payment' && attempt_id === id).map((payment) => payment.id);
      return !books.allocations.some((one) => one.bill_id === bill_id && brought.includes(one.payment_id));
    })
    .map(({ our_reference }) => `${our_reference} is SUCCEEDED, and its bill has nothing of it`);
}

/** A second receipt for one prompt is nobody's until a person says whose. */
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

/** What the gateway was told is in its ledger. */
function forgotten({ books, learned }: World): string[] {
  const booked = new Set(books.payments.map(({ provider_transaction_id }) => provider_transaction_id));
  return [...learned].filter((receipt) => !booked.has(receipt)).map((receipt) => `${receipt} was told, and is not in the ledger`);
}

/** Nothing is in the ledger that the provider does not know of, nothing twice, and no money is in two places. */
function wrongLedger({ books, provider, accounts }: World): string[] {
  const allocations = group(books.allocations, ({ payment_id }) => payment_id);
  return books.payments
    .filter(({ kind }) => kind === 'payment')
    .flatMap((payment) => {
      const { provider_transaction_id: receipt, amount } = payment;
      const variant = VARIANTS.find((one) => accounts[one].id === payment.provider_account_id);
      const real = provider.transactions.find((tx) => tx.kind === 'payment' && tx.receipt === receipt && tx.variant === variant);
      const twice = books.payments.filter((one) => one.kind === 'payment' && one.provider_transaction_id === receipt).length > 1;
      const reversals = books.payments.filter(({ reverses_id }) => reverses_id === payment.id);
      const allocated = sum([payment, ...reversals].flatMap(({ id }) => allocations.get(id) ?? []));
      const back = sum(reversals);
      const reallyBack = sum(provider.reversalsOf(receipt));
      return [
        ...(real?.amount === amount ? [] : [`${receipt} is booked with ${amount}, and the provider has ${real?.amount ?? 'nothing'}`]),
        ...(twice ? [`${receipt} is booked twice`] : []),
        ...(back <= reallyBack ? [] : [`of ${receipt} ${back} are booked as sent back, and ${reallyBack} were`]),
        ...(allocated >= 0 && allocated <= amount - back ? [] : [`of ${receipt}, with ${amount - back} kept, ${allocated} are allocated`]),
      ];
    });
}
