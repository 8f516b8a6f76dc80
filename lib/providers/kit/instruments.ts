import { z } from 'zod';
import type { Random } from '@/lib/platform/core/clock';
import type { IssuedWays } from '@/lib/providers/port/instrument';

/**
 * What happens to a request for an instrument. `refused`: a final refusal. `unrecorded`: no answer, and nothing is issued. `unanswered`: it is
 * issued, and the answer is lost.
 */
export const ISSUE_FAILURES = ['refused', 'unrecorded', 'unanswered'] as const;
export type IssueFailure = (typeof ISSUE_FAILURES)[number];

/** A payment of an instrument. */
export interface InstrumentPayment {
  /** The receipt number. Each payment has its own. */
  readonly receipt: string;
  /** Whole shillings. */
  readonly amount: number;
  /** The payer's number, such as 255754000001. */
  readonly mobile: string;
  readonly paidAt: number;
}

/** An instrument that a simulated provider has issued. */
export interface SimulatedInstrument extends IssuedWays {
  /** The client's reference. */
  readonly reference: string;
  /** The id that the simulated provider gave to the instrument. */
  readonly id: string;
  /** Whole shillings. */
  amount: number;
  /** `exact`: wallets pay only the amount, once. `open`: they pay any amount, any number of times. */
  readonly takes: 'exact' | 'open';
  /** True if the provider shows one payment at most, whose receipt number is the id of the instrument. */
  readonly single?: boolean;
  /** The address of callbacks in the request; null if it contains none. */
  readonly callbackUrl: string | null;
  readonly issuedAt: number;
  /** Null if it does not expire. */
  readonly expiresAt: number | null;
  /** When the client has cancelled it; null if it has not. */
  cancelledAt: number | null;
  readonly payments: InstrumentPayment[];
}

/** A payment as a customer makes it. The body of `POST /control/pay`. */
export const customerPaymentSchema = z
  .strictObject({
    number: z.string().optional(),
    qr: z.string().optional(),
    link: z.string().optional(),
    /** Whole shillings; by default, the amount of the instrument. */
    amount: z.int().positive().optional(),
    /** The payer's number. */
    mobile: z
      .string()
      .regex(/^255[67]\d{8}$/)
      .default('255754000001'),
    /** Whether a callback comes, once or twice. */
    callback: z.union([z.boolean(), z.literal('twice')]).default(true),
    /**
     * True if the customer had confirmed the payment before the instrument was paid, changed or cancelled. Then the provider takes it, although
     * it would refuse it now.
     */
    underWay: z.boolean().default(false),
  })
  .refine(({ number, qr, link }) => [number, qr, link].filter((way) => way !== undefined).length === 1, 'one of number, qr and link');
export type CustomerPayment = z.input<typeof customerPaymentSchema>;
type ReadPayment = z.output<typeof customerPaymentSchema>;

interface Options {
  readonly now: () => number;
  readonly random: Random;
}

/** Creates the memory of the instruments that a simulated provider has issued. */
export function createInstruments({ now, random }: Options) {
  const list: SimulatedInstrument[] = [];
  const byName = new Map<string, SimulatedInstrument>();
  const failures: IssueFailure[] = [];
  const receipts = new Set<string>();
  const nameOf = (way: string, value: string) => `${way} ${value}`;
  const digits = (count: number) => [...random(count)].map((byte) => byte % 10).join('');
  const find = (way: 'reference' | 'id' | keyof IssuedWays, value: string) => byName.get(nameOf(way, value));

  function newReceipt(): string {
    const receipt = digits(10);
    if (receipts.has(receipt)) return newReceipt();
    receipts.add(receipt);
    return receipt;
  }

  /** Returns a number that customers can type, which no other instrument has. */
  function newNumber(count: number): string {
    const number = digits(count);
    return find('number', number) ? newNumber(count) : number;
  }

  /** Returns why a wallet refuses a payment; null if it does not. */
  function refusalOf(instrument: SimulatedInstrument, amount: number): string | null {
    if (instrument.cancelledAt !== null) return 'the instrument was cancelled';
    if (instrument.expiresAt !== null && instrument.expiresAt <= now()) return 'the instrument has expired';
    if (instrument.takes === 'open') return null;
    if (instrument.payments.length > 0) return 'the instrument was paid';
    return amount === instrument.amount ? null : `the instrument takes only ${instrument.amount}`;
  }

  return {
    list,
    find,
    newNumber,
    /** Decides about the next requests, one each. */
    failNext: (...next: readonly IssueFailure[]) => void failures.push(...next),
    nextFailure: (): IssueFailure | null => failures.shift() ?? null,
    issue(request: Omit<SimulatedInstrument, 'issuedAt' | 'cancelledAt' | 'payments'>): SimulatedInstrument {
      const issued: SimulatedInstrument = { ...request, issuedAt: now(), cancelledAt: null, payments: [] };
      list.push(issued);
      for (const way of ['reference', 'id', 'number', 'qr', 'link'] as const) {
        const value = issued[way];
        if (value !== null) byName.set(nameOf(way, value), issued);
      }
      return issued;
    },
    /** Lets a customer pay. Returns the payment, or the reason why the wallet refuses it. */
    pay(
      asked: ReadPayment,
    ): { readonly instrument: SimulatedInstrument; readonly payment: InstrumentPayment } | { readonly refusal: string } {
      const instrument = (['number', 'qr', 'link'] as const).flatMap((way) => find(way, asked[way] ?? '') ?? [])[0];
      if (!instrument) return { refusal: 'there is no such instrument' };
      const { mobile, amount = instrument.amount } = asked;
      const refusal = asked.underWay ? null : refusalOf(instrument, amount);
      if (refusal !== null) return { refusal };
      if (instrument.single && instrument.payments.length > 0) return { refusal: 'the provider takes one payment' };
      const payment = { receipt: instrument.single ? instrument.id : newReceipt(), amount, mobile, paidAt: now() };
      instrument.payments.push(payment);
      return { instrument, payment };
    },
  };
}
