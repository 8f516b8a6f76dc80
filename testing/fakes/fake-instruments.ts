import type { Clock } from '@/lib/platform/core/clock';
import { HOUR_MS } from '@/lib/platform/core/clock';
import { formatQr } from '@/lib/platform/core/emv';
import type { InstrumentOffer, InstrumentRequest } from '@/lib/providers/port/instrument';
import {
  type FakeInstrument,
  type InstrumentReport,
  type Report,
  type Till,
  type Transaction,
  type Variant,
  variantOf,
} from './fake-record';

const ANY_AMOUNT = { minAmount: 100n, maxAmount: 1_000_000_000n } as const;

/** What each kind of provider issues. Together they have all ways. `unsigned` cannot cancel, and its status answers do not repeat what it has issued. */
export const FAKE_OFFERS: Readonly<Record<Variant, InstrumentOffer>> = {
  signed: { kind: 'order', ways: ['number'], networks: ['vodacom'], takes: 'exact', ...ANY_AMOUNT },
  unsigned: { kind: 'code', ways: ['qr'], networks: [], takes: 'exact', ...ANY_AMOUNT },
  repeating: { kind: 'bill', ways: ['link', 'number'], networks: ['airtel', 'halotel'], takes: 'open', ...ANY_AMOUNT },
};

/** Some instruments are issued at once, but status queries find them only after this time, milliseconds. */
const INDEX_LAG_MS = 4_000;

interface Needs {
  readonly clock: Clock;
  readonly complaints: string[];
  pay(till: Till, reference: string, amount: number): Report;
  paymentsFor(till: Till, reference: string): Transaction[];
  reportPayment(payment: Transaction): Report;
}

/** The part of the fake provider that issues instruments. It takes every payment of them: of any amount, twice, and after their end. */
export function createFakeInstruments({ clock, complaints, pay, paymentsFor, reportPayment }: Needs) {
  /** By our reference. */
  const instruments = new Map<string, FakeInstrument>();

  const qrOf = ({ number, amount }: FakeInstrument) =>
    formatQr({ acquirer: '9', account: '1', merchantName: 'Duka', reference: number, amount: BigInt(amount) });
  const issuedBy = (issued: FakeInstrument): InstrumentReport => describe(issued, FAKE_OFFERS[variantOf(issued.till)].ways);
  const describe = (issued: FakeInstrument, ways: InstrumentOffer['ways']): InstrumentReport => ({
    kind: 'issued',
    id: `I${issued.reference}`,
    number: ways.includes('number') ? issued.number : null,
    qr: ways.includes('qr') ? qrOf(issued) : null,
    link: ways.includes('link') ? `https://pay.example/${issued.number}` : null,
    expiresAt: issued.expiresAt?.getTime() ?? null,
  });

  /**
   * Handles a request to issue an instrument.
   * @param word selects the answer: 0 issued, 1 issued for an hour, 2 refused, 3 issued, but the answer says that the reference is used
   * already, 4 issued, but found late by status queries.
   */
  function receiveInstrument(till: Till, { reference, kind, amount }: InstrumentRequest, word: number): InstrumentReport {
    if (instruments.has(reference)) complaints.push(`instrument ${reference} was asked for twice`);
    if (kind !== FAKE_OFFERS[variantOf(till)].kind) complaints.push(`${till} was asked for the instrument ${kind}`);
    if (word === 2) return { kind: 'refused', reason: 'rejected' };
    const issued: FakeInstrument = {
      reference,
      till,
      number: `${instruments.size + 10_000}`,
      amount: Number(amount),
      expiresAt: word === 1 ? new Date(clock().getTime() + HOUR_MS) : null,
      indexedAt: clock().getTime() + (word === 4 ? INDEX_LAG_MS : 0),
      isOpen: true,
    };
    instruments.set(reference, issued);
    return word === 3 ? { kind: 'duplicate' } : issuedBy(issued);
  }

  /** The reference that payments of an instrument have in callbacks and statements. */
  const nameOf = ({ till, number, reference }: FakeInstrument) => (variantOf(till) === 'repeating' ? number : reference);

  /** Records a payment of an instrument. One of another kind than `open` can then not be paid any more, but a customer may be faster. */
  function payInstrument(instrument: FakeInstrument, amount: number): Report {
    if (FAKE_OFFERS[variantOf(instrument.till)].takes === 'exact') instrument.isOpen = false;
    return pay(instrument.till, nameOf(instrument), amount);
  }

  const paymentsOf = (instrument: FakeInstrument) => paymentsFor(instrument.till, nameOf(instrument));

  function find(reference: string, providerReference: string | null): FakeInstrument | undefined {
    if (providerReference !== null && providerReference !== `I${reference}`) complaints.push(`${reference} is called ${providerReference}`);
    const instrument = instruments.get(reference);
    return instrument && clock().getTime() >= instrument.indexedAt ? instrument : undefined;
  }

  function answerInstrumentQuery({ reference, providerReference }: InstrumentRequest): InstrumentReport {
    const instrument = find(reference, providerReference);
    if (!instrument) return { kind: 'not_found' };
    if (instrument.expiresAt !== null && instrument.expiresAt <= clock()) instrument.isOpen = false;
    const payments = paymentsOf(instrument).map(reportPayment);
    const issued = variantOf(instrument.till) === 'unsigned' ? null : issuedBy(instrument);
    return instrument.isOpen ? { kind: 'open', issued, payments } : { kind: 'ended', payments };
  }

  /** Ends an instrument, unless it was paid. @param word 2: the provider refuses. */
  function cancelInstrument({ reference, providerReference }: InstrumentRequest, word: number): InstrumentReport {
    const instrument = find(reference, providerReference);
    if (!instrument) return { kind: 'not_found' };
    if (word === 2 || (variantOf(instrument.till) !== 'repeating' && paymentsOf(instrument).length > 0))
      return { kind: 'refused', reason: 'rejected' };
    instrument.isOpen = false;
    return { kind: 'done' };
  }

  /** @param word 2: the provider refuses. */
  function changeInstrument({ reference, providerReference, amount }: InstrumentRequest, word: number): InstrumentReport {
    const instrument = find(reference, providerReference);
    if (!instrument) return { kind: 'not_found' };
    if (word === 2 || !instrument.isOpen) return { kind: 'refused', reason: 'rejected' };
    instrument.amount = Number(amount);
    return { kind: 'done' };
  }

  return { instruments, receiveInstrument, payInstrument, paymentsOf, answerInstrumentQuery, cancelInstrument, changeInstrument };
}
