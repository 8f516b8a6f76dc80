import {
  type InstrumentRuntime,
  offersInstruments,
  type UsableInstrument,
  usableInstruments,
} from '@/lib/gateway/instruments/ask-instruments';
import { type InstrumentBill, instrumentAmount } from '@/lib/gateway/instruments/rules';
import { type ListedInstrument, listInstruments, readInstrumentBill } from '@/lib/gateway/instruments/store';
import { findNetworkByPrefix } from '@/lib/gateway/networks/store';
import { checkQr } from '@/lib/platform/core/emv';
import type { Senti } from '@/lib/platform/core/money';
import { isNetwork, type Network } from '@/lib/platform/core/network';
import { INSTRUMENT_WAYS, type InstrumentWay } from '@/lib/providers/port/instrument';
import type { PayPage } from './show-pay-page';

/** What was issued for one way, and who issued it. */
interface Issued {
  readonly text: string;
  readonly provider: string;
  /** Null if the provider does not say when it ends. */
  readonly expiresAt: Date | null;
}

export interface PayNumber extends Issued {
  /** The networks whose wallets can pay the number. */
  readonly networks: readonly Network[];
}

/** What a customer sees of the instruments of a bill: as few numbers as possible, one QR code and one link. */
export interface ShownWays {
  readonly numbers: readonly PayNumber[];
  /** The text of the code. It asks for the amount of the bill. */
  readonly qr: Issued | null;
  /** An address of the provider. */
  readonly link: Issued | null;
}

/**
 * Chooses what to show of usable instruments, the oldest first. A number is left out if the wallets of all its networks can pay an earlier
 * one. A QR code is left out if its text is damaged or asks for another amount.
 * @param amount what the customer has to pay, senti.
 */
function chooseWays(usable: readonly UsableInstrument[], amount: Senti): ShownWays {
  const served = new Set<Network>();
  const issuedAs = (way: InstrumentWay) =>
    usable.flatMap(({ [way]: text, provider, expiresAt, offer: { networks } }) =>
      text === null ? [] : [{ text, provider, expiresAt, networks }],
    );
  const numbers = issuedAs('number').filter(({ networks }) => {
    const more = served.size === 0 || networks.some((network) => !served.has(network));
    for (const network of networks) served.add(network);
    return more;
  });
  return {
    numbers,
    qr: issuedAs('qr').find(({ text }) => checkQr(text, amount) === null) ?? null,
    link: issuedAs('link')[0] ?? null,
  };
}

/** Returns what customers can use now of the instruments of a bill. Issues nothing. */
export async function usableWays(runtime: Pick<InstrumentRuntime, 'db' | 'clock' | 'providers'>, billId: string): Promise<ShownWays> {
  const bill = await readInstrumentBill(runtime.db, billId);
  const now = runtime.clock();
  const { usable } = usableInstruments(runtime, bill, await listInstruments(runtime.db, billId), now);
  return chooseWays(usable, instrumentAmount(bill, now));
}

/** Why a customer needs a new instrument. `changed`: the bill has another remaining amount. `refused`: none was issued. */
type EndedWay = 'changed' | 'expired' | 'refused';

const ENDED_WAYS: Readonly<Record<string, EndedWay>> = { refused: 'refused', lost: 'refused', expired: 'expired', closed: 'expired' };

export interface PayWays extends ShownWays {
  /** What is left to pay in whole shillings, senti; 0 if nobody may be asked to pay. */
  readonly amount: Senti;
  /** Whether an instrument is being issued or ended. `late`: the provider did not answer at once. */
  readonly waiting: 'soon' | 'late' | null;
  /** Whether the customer can ask for something that the page does not show. */
  readonly askable: boolean;
  /** Why something that was issued or asked for before is not shown any more; null if nothing is missing. */
  readonly ended: EndedWay | null;
  /** Whether an instrument of another amount was issued before, which the customer must not use. */
  readonly replaced: boolean;
  /** A text that changes whenever this content changes. */
  readonly version: string;
}

type WaysBill = InstrumentBill & { readonly id: string };

/** Returns how a bill can be paid without a prompt. */
export async function showPayWays(runtime: InstrumentRuntime, bill: WaysBill): Promise<PayWays> {
  const listed = await listInstruments(runtime.db, bill.id);
  const now = runtime.clock();
  const amount = instrumentAmount(bill, now);
  const { usable } = usableInstruments(runtime, bill, listed, now);
  const shown = chooseWays(usable, amount);
  const open = listed.filter(({ state }) => state !== 'ENDED');
  const moving = open.filter(({ id }) => !usable.some((one) => one.id === id));
  const ended = listed.filter(({ state }) => state === 'ENDED');
  const missing = missingWays(ended, shown);
  const none = usable.length === 0 && moving.length === 0;
  const waiting = amount === 0n || moving.length === 0 ? null : moving.some(isLate) ? 'late' : 'soon';
  const last = none ? ended.at(-1) : ended.findLast((one) => hasAny(one, missing));
  return {
    ...shown,
    amount,
    waiting,
    askable: amount > 0n && moving.length === 0 && (none || missing.length > 0) && (await offersInstruments(runtime, bill.id)),
    ended: last && moving.length === 0 ? (ENDED_WAYS[last.endReason ?? ''] ?? 'changed') : null,
    replaced: usable.length > 0 && ended.some((one) => one.endReason === 'changed' && hasAny(one, INSTRUMENT_WAYS)),
    version: [
      amount,
      waiting,
      ended.length,
      ...open.map(({ id, state }) => `${id.slice(-6)}${state}`),
      ...usable.map(({ id }) => id.slice(-6)),
    ].join('.'),
  };
}

/** Returns the ways that ended instruments had and that are not shown now. */
function missingWays(ended: readonly ListedInstrument[], { numbers, qr, link }: ShownWays): InstrumentWay[] {
  const shown = { number: numbers.length > 0, qr: qr !== null, link: link !== null };
  return INSTRUMENT_WAYS.filter((way) => !shown[way] && ended.some((one) => one[way] !== null));
}

function hasAny(one: ListedInstrument, ways: readonly InstrumentWay[]): boolean {
  return ways.some((way) => one[way] !== null);
}

/** Whether the first request or its answer was lost. */
function isLate({ state, sendCount }: ListedInstrument): boolean {
  return state === 'UNKNOWN' || (state === 'ASKED' && sendCount > 0);
}

/** Whether the payment page offers other ways to pay: the bill has an instrument, or an account issues one. */
export async function offersWays(runtime: InstrumentRuntime, bill: WaysBill): Promise<{ offered: boolean; issued: boolean }> {
  if (instrumentAmount(bill, runtime.clock()) === 0n) return { offered: false, issued: false };
  const issued = (await listInstruments(runtime.db, bill.id)).some(({ state }) => state !== 'ENDED');
  return { offered: issued || (await offersInstruments(runtime, bill.id)), issued };
}

/**
 * Returns the network of the customer's number: of the last prompt that this device requested, or of the number that is stored on it. Not of
 * the bill's number, because everybody who has the link sees the page.
 * @param stored the number that is stored on the customer's device; null for none.
 */
export async function customerNetwork(
  runtime: Pick<InstrumentRuntime, 'db'>,
  { state, others, form }: Pick<PayPage, 'state' | 'others' | 'form'>,
  stored: string | null,
): Promise<Network | null> {
  const prompts = 'attempt' in state ? [state, ...others] : others;
  const attempt = prompts.find(({ own }) => own)?.attempt ?? form?.again;
  if (attempt && isNetwork(attempt.network)) return attempt.network;
  return networkOf(runtime, stored);
}

/** Returns the network of a number by its prefix; null if there is no number. */
export async function networkOf({ db }: Pick<InstrumentRuntime, 'db'>, mobile: string | null): Promise<Network | null> {
  return mobile === null ? null : findNetworkByPrefix(db, mobile);
}
