import { billById } from '@/lib/gateway/bills/store';
import { addMs, SECOND_MS } from '@/lib/platform/core/clock';
import { isNetwork, type Network } from '@/lib/platform/core/network';
import {
  networkPrefix,
  sandboxInstrument,
  sandboxInstrumentPayment,
  sandboxPhone,
  sandboxPrompt,
  sandboxRing,
  sandboxStep,
} from '@/lib/platform/db/generated/tables';
import { array, int4, nullable, pick, text, timestamptz } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import type { ReadRuntime } from '@/lib/platform/runtime/runtime';
import type { PhoneVisit } from './phone-link';

/**
 * How long test phones receive prompts after a request of their page. The time exceeds a minute, because a hidden page sends only one
 * request a minute.
 */
const HOLD_MS = 90 * SECOND_MS;
const RENEW_MS = 80 * SECOND_MS;
const HISTORY = 6;

const SCOPE = 'merchant_id = $merchantId AND environment = $environment';
const SCOPE_TYPES = pick(sandboxPhone, 'merchantId environment');

const HOLD_PHONES = statement({
  name: 'hold test phones',
  // An open page polls every second. The condition on $renewBefore avoids a write for each request.
  text: `INSERT INTO sandbox_phone (merchant_id, environment, mobile, held_until)
         SELECT $merchantId, $environment, mobile, $until FROM unnest($mobiles::text[]) AS t (mobile)
         ON CONFLICT (merchant_id, environment, mobile) DO UPDATE SET held_until = $until WHERE sandbox_phone.held_until < $renewBefore`,
  parameters: { ...SCOPE_TYPES, mobiles: array(text), until: timestamptz, renewBefore: timestamptz },
});

const LIST_PHONES = statement({
  name: 'list test phones',
  text: `SELECT mobile, is_on AS "isOn", has_money AS "hasMoney",
           coalesce((SELECT network FROM network_prefix WHERE prefix = substr(mobile, 2, 2)), 'other') AS network
         FROM sandbox_phone WHERE ${SCOPE} AND mobile = ANY($mobiles::text[])`,
  parameters: { ...SCOPE_TYPES, mobiles: array(sandboxPhone.mobile) },
  columns: { ...pick(sandboxPhone, 'mobile isOn hasMoney'), network: networkPrefix.network },
});

const LIST_RINGS = statement({
  name: 'list the prompts of test phones',
  text: `SELECT r.reference, r.mobile, r.network, r.missed, r.created_at AS "createdAt", p.amount, p.receipt,
           (SELECT s.status FROM sandbox_step s WHERE s.reference = r.reference AND s.due_at <= $now ORDER BY s.number DESC LIMIT 1) AS status,
           (SELECT b.reference FROM push_attempt a
            JOIN LATERAL ${billById('a.bill_id')} ON b.merchant_id = $merchantId AND b.environment = $environment
            WHERE a.our_reference = r.reference) AS "billReference"
         FROM unnest($mobiles::text[]) AS t (mobile)
         CROSS JOIN LATERAL (SELECT * FROM sandbox_ring r WHERE ${SCOPE} AND r.mobile = t.mobile ORDER BY created_at DESC LIMIT $limit::int) r
         JOIN sandbox_prompt p ON p.reference = r.reference
         ORDER BY r.created_at DESC, r.reference`,
  parameters: { ...SCOPE_TYPES, mobiles: array(text), now: timestamptz, limit: int4 },
  columns: {
    ...pick(sandboxRing, 'reference mobile network missed createdAt'),
    /** Whole shillings. */
    amount: sandboxPrompt.amount,
    receipt: sandboxPrompt.receipt,
    /** The current state of the prompt; null while it waits for an answer. */
    status: nullable(sandboxStep.status),
    billReference: nullable(text),
  },
});

const LIST_PAYMENTS = statement({
  name: 'list the bills that test phones paid',
  text: `SELECT t.mobile, p.receipt, p.amount, p.paid_at AS "paidAt", p.number
         FROM unnest($mobiles::text[]) AS t (mobile)
         CROSS JOIN LATERAL (
           SELECT p.receipt, p.amount, p.paid_at, i.number FROM sandbox_instrument_payment p JOIN sandbox_instrument i ON i.reference = p.reference
           WHERE p.mobile = '255' || substr(t.mobile, 2) AND i.merchant_id = $merchantId ORDER BY p.paid_at DESC LIMIT $limit::int
         ) p ORDER BY p.paid_at DESC`,
  parameters: { merchantId: SCOPE_TYPES.merchantId, mobiles: array(text), limit: int4 },
  columns: {
    mobile: text,
    ...pick(sandboxInstrumentPayment, 'receipt amount paidAt'),
    number: sandboxInstrument.number,
  },
});

/** A bill that somebody paid from a test phone without a prompt. The amount is in whole shillings. */
export type PhonePayment = Awaited<ReturnType<typeof LIST_PAYMENTS.rows>>[number];

/** A prompt that a test phone received. */
export type PhonePrompt = Awaited<ReturnType<typeof LIST_RINGS.rows>>[number];

/** One test phone. */
export interface Phone {
  readonly mobile: string;
  readonly network: Network;
  readonly isOn: boolean;
  readonly hasMoney: boolean;
  /** The prompt that waits for an answer; null if there is none. */
  readonly ringing: PhonePrompt | null;
  /** The prompts that no longer wait for an answer, newest first. */
  readonly past: readonly PhonePrompt[];
  /** The bills that the phone paid without a prompt, newest first. */
  readonly paid: readonly PhonePayment[];
}

/**
 * Returns the test phones with these numbers, in the given order. Makes them receive the prompts to their numbers for HOLD_MS more. If
 * several prompts wait for an answer on a phone, the oldest is shown first.
 */
export async function showPhones({ db, clock }: ReadRuntime, { scope }: PhoneVisit, mobiles: readonly string[]): Promise<Phone[]> {
  const now = clock();
  const own = { ...scope, mobiles };
  await HOLD_PHONES.rows(db, { ...own, until: addMs(now, HOLD_MS), renewBefore: addMs(now, RENEW_MS) });
  const phones = await LIST_PHONES.rows(db, own);
  // The newest prompts of each number, newest first.
  const rings = await LIST_RINGS.rows(db, { ...own, now, limit: HISTORY });
  const payments = await LIST_PAYMENTS.rows(db, { merchantId: scope.merchantId, mobiles, limit: HISTORY });
  return mobiles.flatMap((mobile) => {
    const phone = phones.find((one) => one.mobile === mobile);
    if (!phone) return [];
    const received = rings.filter((ring) => ring.mobile === mobile);
    const open = received.filter(({ status, missed }) => status === null && !missed);
    const ringing = phone.isOn ? (open.at(-1) ?? null) : null;
    return [
      {
        ...phone,
        network: isNetwork(phone.network) ? phone.network : ('other' as const),
        ringing,
        past: received.filter((ring) => !open.includes(ring)),
        paid: payments.filter((payment) => payment.mobile === mobile),
      },
    ];
  });
}
