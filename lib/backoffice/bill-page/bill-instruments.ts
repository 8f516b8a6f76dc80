import { findBillOf } from '@/lib/gateway/bills/store';
import {
  type AskInstrumentsRefusal,
  askInstruments,
  type InstrumentRuntime,
  usableInstruments,
} from '@/lib/gateway/instruments/ask-instruments';
import { endOf, INSTRUMENT_ENDS, type InstrumentEnd } from '@/lib/gateway/instruments/rules';
import { type ListedInstrument, listInstruments, readInstrumentBill } from '@/lib/gateway/instruments/store';
import { type Access, type AccessRefusal, authorize, type KeyAccess, may } from '@/lib/identity/accounts/access/grant-access';
import { isUuid } from '@/lib/platform/core/ids';
import type { Network } from '@/lib/platform/core/network';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import type { InstrumentOffer, IssuedWays } from '@/lib/providers/port/instrument';

/** What a person or a server may know about the state of an instrument. `PENDING`: the provider has not issued it yet, as far as is known. */
export const SHOWN_STATES = ['PENDING', 'ACTIVE', 'ENDED'] as const;

/** An instrument of a bill, as it is shown. Only an `ACTIVE` one may be given to a customer. */
export interface InstrumentView
  extends IssuedWays,
    Pick<ListedInstrument, 'id' | 'provider' | 'kind' | 'amount' | 'createdAt' | 'expiresAt' | 'endedAt'> {
  readonly state: (typeof SHOWN_STATES)[number];
  /** Why it has ended; null unless it is `ENDED`. */
  readonly reason: InstrumentEnd | null;
  /** The networks whose wallets can pay the number. */
  readonly networks: readonly Network[];
  readonly takes: InstrumentOffer['takes'];
}

export type AskRefusal = AccessRefusal | 'not_found' | AskInstrumentsRefusal;

/**
 * Asks for the payment instruments that a bill can have. Repeating the request changes nothing.
 * @returns the instruments of the bill.
 */
export async function askBillInstruments(
  runtime: InstrumentRuntime,
  access: Access | KeyAccess,
  billId: string,
): Promise<Result<InstrumentView[], AskRefusal>> {
  const refusal = authorize(access, 'bills.create');
  if (refusal) return fail(refusal);
  const bill = isUuid(billId) ? await findBillOf(runtime.db, access, billId) : undefined;
  if (!bill) return fail('not_found');
  const asked = await askInstruments(runtime, bill.id, access.actor.name);
  return asked.ok ? ok(await viewInstruments(runtime, bill.id, asked.value)) : asked;
}

type ReadRuntime = Pick<InstrumentRuntime, 'db' | 'clock' | 'providers'>;

/** Returns the instruments of a bill, the oldest first; null if the viewer may not see the bill. */
export async function listBillInstruments(
  runtime: ReadRuntime,
  access: Access | KeyAccess,
  billId: string,
): Promise<InstrumentView[] | null> {
  const bill = may(access, 'bills.view') && isUuid(billId) ? await findBillOf(runtime.db, access, billId) : undefined;
  return bill ? viewInstruments(runtime, bill.id, await listInstruments(runtime.db, bill.id)) : null;
}

/**
 * Returns instruments as they are shown. The bill may have changed since a worker looked at them, so an instrument that must end now is
 * shown as ended already.
 */
async function viewInstruments(
  { db, clock, providers }: ReadRuntime,
  billId: string,
  listed: readonly ListedInstrument[],
): Promise<InstrumentView[]> {
  if (listed.length === 0) return [];
  const bill = await readInstrumentBill(db, billId);
  const now = clock();
  const usable = new Set(usableInstruments({ providers }, bill, listed, now).usable.map(({ id }) => id));
  return listed.map((one) => {
    const { id, provider, kind, amount, number, qr, link, createdAt, expiresAt, endedAt } = one;
    const offer = providers.find(provider)?.instruments?.offers.find((offered) => offered.kind === kind);
    const { networks = [], takes = 'exact' } = offer ?? {};
    const shown = { id, provider, kind, amount, number, qr, link, createdAt, expiresAt, endedAt, networks, takes };
    if (usable.has(id)) return { ...shown, state: 'ACTIVE', reason: null };
    if (one.state === 'ENDED') return { ...shown, state: 'ENDED', reason: INSTRUMENT_ENDS.find((end) => end === one.endReason) ?? null };
    if (one.state === 'ACTIVE') return { ...shown, state: 'ENDED', reason: endOf(one, bill, now) };
    return { ...shown, state: 'PENDING', reason: null };
  });
}
