import { changeBill, type LockedBill, lockBills } from '@/lib/gateway/bills/change-bill';
import { addMs, DAY_MS, HOUR_MS } from '@/lib/platform/core/clock';
import { newId, newPaymentReference } from '@/lib/platform/core/ids';
import type { Senti } from '@/lib/platform/core/money';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { Scope } from '@/lib/platform/core/scope';
import type { Queryable } from '@/lib/platform/db/database';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { openAccount } from '@/lib/providers/accounts/account-store';
import type { InstrumentOffer } from '@/lib/providers/port/instrument';
import type { ProviderRegistry } from '@/lib/providers/registry';
import { type Choice, chooseOffers, type InstrumentBill, instrumentAmount, isCurrent } from './rules';
import { insertInstrument, type ListedInstrument, listInstruments, listIssuingAccounts, readInstrumentBill } from './store';

export type InstrumentRuntime = Pick<Runtime, 'db' | 'clock' | 'random' | 'secrets' | 'settings'> & {
  readonly providers: ProviderRegistry;
};

/** The most instruments of a bill in a day. A customer needs one or two; each change of the remaining amount needs another one. */
export const INSTRUMENTS_A_DAY = 20;
/** After a provider refused to issue an instrument, it is not asked again for this bill for this long. */
const REFUSED_FOR_MS = HOUR_MS;

/** `not_payable`: nothing is left, or the bill or its merchant takes no payments. `not_offered`: no account issues instruments of this amount. */
export type AskInstrumentsRefusal = 'not_payable' | 'not_offered' | 'too_many';

/** Runs first, under the lock of the bill. If it returns false, nothing is asked for. */
type BeforeAsking = (tx: Queryable, bill: LockedBill & InstrumentBill, now: Date) => Promise<boolean>;

/**
 * Asks for the payment instruments that a bill can have and does not have yet. A worker issues them within a second. Repeating the request
 * changes nothing. The caller has checked that the sender may see the bill.
 * @param by who asks, for the history of the bill.
 * @returns the instruments of the bill.
 */
export async function askInstruments(
  runtime: InstrumentRuntime,
  billId: string,
  by: string,
  before?: BeforeAsking,
): Promise<Result<ListedInstrument[], AskInstrumentsRefusal>> {
  const { db, clock, providers } = runtime;
  const { merchantActive, ...scope } = await readInstrumentBill(db, billId);
  const choices = await listChoices(runtime, scope);
  return db.sqlTransaction(async (tx) => {
    const [locked] = await lockBills(tx, [billId]);
    if (!locked) throw new Error(`bill ${billId} does not exist`);
    const now = clock();
    const bill = { ...locked, merchantActive };
    const amount = instrumentAmount(bill, now);
    if (before && !(await before(tx, bill, now))) return ok(await listInstruments(tx, billId));
    if (amount === 0n) return fail('not_payable');
    const existing = await listInstruments(tx, billId);
    const open = existing.filter(({ state }) => state !== 'ENDED');
    const offered = choices.filter((choice) => !open.some((one) => isOf(one, choice)) && !refusedLately(existing, choice, now));
    // A worker soon replaces an instrument of another amount, unless nobody knows whether it was issued.
    const serving = open.filter((one) => one.state !== 'UNKNOWN' || isCurrent(one, offerOf(providers, one), amount));
    const covered = serving.flatMap((one) => offerOf(providers, one) ?? []);
    const chosen = chooseOffers(offered, covered, amount);
    if (chosen.length === 0) return open.length > 0 ? ok(existing) : fail('not_offered');
    const lately = existing.filter(({ createdAt }) => createdAt > addMs(now, -DAY_MS));
    if (lately.length + chosen.length > INSTRUMENTS_A_DAY) return open.length > 0 ? ok(existing) : fail('too_many');
    await insertChosen(runtime, tx, { bill, amount, chosen, now });
    const events = [{ type: 'instrument.asked', data: { by, amount: amount.toString() } }];
    await changeBill(tx, locked, { paid: 0n, released: 0n, payer: null, events, now });
    return ok(await listInstruments(tx, billId));
  });
}

function offerOf(
  providers: ProviderRegistry,
  { provider, kind }: Pick<ListedInstrument, 'provider' | 'kind'>,
): InstrumentOffer | undefined {
  return providers.find(provider)?.instruments?.offers.find((offer) => offer.kind === kind);
}

interface Chosen {
  readonly bill: LockedBill;
  readonly amount: Senti;
  readonly chosen: readonly Choice[];
  readonly now: Date;
}

async function insertChosen({ random }: InstrumentRuntime, tx: Queryable, { bill, amount, chosen, now }: Chosen) {
  for (const [index, { accountId: providerAccountId, offer }] of chosen.entries()) {
    const { id: billId, merchantId, environment } = bill;
    const row = { merchantId, environment, billId, providerAccountId, kind: offer.kind, amount, createdAt: now };
    // The instruments of a bill are listed by their ids: in the order of the offers.
    const id = newId({ clock: () => addMs(now, index), random });
    await insertInstrument(tx, { id, ourReference: newPaymentReference(random), ...row });
  }
}

function isOf({ providerAccountId, kind }: Pick<ListedInstrument, 'providerAccountId' | 'kind'>, { accountId, offer }: Choice): boolean {
  return providerAccountId === accountId && kind === offer.kind;
}

function refusedLately(existing: readonly ListedInstrument[], choice: Choice, now: Date): boolean {
  return existing.some((one) => one.endReason === 'refused' && isOf(one, choice) && one.createdAt > addMs(now, -REFUSED_FOR_MS));
}

/** Returns the offers of the accounts that may serve a bill, the best first. */
async function listChoices(runtime: InstrumentRuntime, scope: Scope): Promise<Choice[]> {
  const accounts = await listIssuingAccounts(runtime.db, scope, runtime.clock());
  return accounts.flatMap((account) => {
    const instruments = runtime.providers.find(account.provider)?.instruments;
    if (!instruments) return [];
    const { credentials } = openAccount(runtime, account);
    return instruments.offers
      .filter(({ kind }) => instruments.offeredBy(credentials, kind))
      .map((offer) => ({ accountId: account.id, offer }));
  });
}

/** Whether an account issues instruments for bills of this amount. So the payment page can offer them before somebody asks. */
export async function offersInstruments(runtime: InstrumentRuntime, billId: string): Promise<boolean> {
  const bill = await readInstrumentBill(runtime.db, billId);
  const amount = instrumentAmount(bill, runtime.clock());
  return amount > 0n && chooseOffers(await listChoices(runtime, bill), [], amount).length > 0;
}

/** An instrument that a customer can use now. */
export interface UsableInstrument extends ListedInstrument {
  readonly offer: InstrumentOffer;
}

/** Returns the instruments that customers can use now, and whether more are being issued. */
export function usableInstruments(
  { providers }: { readonly providers: ProviderRegistry },
  bill: InstrumentBill,
  listed: readonly ListedInstrument[],
  now: Date,
): { readonly usable: UsableInstrument[]; readonly pending: boolean } {
  const amount = instrumentAmount(bill, now);
  const usable = listed.flatMap((one) => {
    const offer = offerOf(providers, one);
    const live = one.state === 'ACTIVE' && (one.expiresAt === null || one.expiresAt > now);
    return offer && live && isCurrent(one, offer, amount) && amount > 0n ? [{ ...one, offer }] : [];
  });
  const pending = amount > 0n && listed.some(({ state }) => state === 'ASKED' || state === 'SENDING');
  return { usable, pending };
}
