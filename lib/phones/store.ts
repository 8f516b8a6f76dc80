import { billById } from '@/lib/bills/store';
import type { Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import { array, boolean, environment, int4, int8, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';

const SCOPE = 'merchant_id = $merchantId AND environment = $environment';
const SCOPE_TYPES = { merchantId: uuid, environment };

const HOLD_PHONES = statement({
  name: 'hold test phones',
  // An open page polls every second. The condition on $renewBefore avoids a write for each request.
  text: `INSERT INTO sandbox_phone (merchant_id, environment, mobile, held_until)
         SELECT $merchantId, $environment, mobile, $until FROM unnest($mobiles::text[]) AS t (mobile)
         ON CONFLICT (merchant_id, environment, mobile) DO UPDATE SET held_until = $until WHERE sandbox_phone.held_until < $renewBefore`,
  parameters: { ...SCOPE_TYPES, mobiles: array(text), until: timestamptz, renewBefore: timestamptz },
  columns: {},
});

/** Makes test phones receive the prompts to their numbers until the given time. */
export async function holdPhones(
  db: Queryable,
  { merchantId, environment: where }: Scope,
  { mobiles, until, renewBefore }: { readonly mobiles: readonly string[]; readonly until: Date; readonly renewBefore: Date },
): Promise<void> {
  await HOLD_PHONES.rows(db, { merchantId, environment: where, mobiles, until, renewBefore });
}

const RELEASE_PHONES = statement({
  name: 'release test phones',
  text: `UPDATE sandbox_phone SET held_until = $until WHERE ${SCOPE} AND mobile = ANY($mobiles::text[]) AND held_until > $until`,
  parameters: { ...SCOPE_TYPES, mobiles: array(text), until: timestamptz },
  columns: {},
});

/** Lets test phones receive prompts only until the given time. A later call of `holdPhones` can extend it again. */
export async function releasePhones(
  db: Queryable,
  { merchantId, environment: where }: Scope,
  { mobiles, until }: { readonly mobiles: readonly string[]; readonly until: Date },
): Promise<void> {
  await RELEASE_PHONES.rows(db, { merchantId, environment: where, mobiles, until });
}

const SWITCH_PHONE = statement({
  name: 'switch a test phone',
  text: `UPDATE sandbox_phone SET is_on = coalesce($isOn::boolean, is_on), has_money = coalesce($hasMoney::boolean, has_money)
         WHERE ${SCOPE} AND mobile = $mobile`,
  parameters: { ...SCOPE_TYPES, mobile: text, isOn: nullable(boolean), hasMoney: nullable(boolean) },
  columns: {},
});

/** Switches a phone on or off, and sets whether its wallet has money. A null value changes nothing. */
export async function switchPhone(
  db: Queryable,
  { merchantId, environment: where }: Scope,
  mobile: string,
  change: { readonly isOn: boolean | null; readonly hasMoney: boolean | null },
): Promise<void> {
  await SWITCH_PHONE.rows(db, { merchantId, environment: where, mobile, ...change });
}

const LIST_PHONES = statement({
  name: 'list test phones',
  text: `SELECT mobile, is_on AS "isOn", has_money AS "hasMoney",
           coalesce((SELECT network FROM network_prefix WHERE prefix = substr(mobile, 2, 2)), 'other') AS network
         FROM sandbox_phone WHERE ${SCOPE} AND mobile = ANY($mobiles::text[])`,
  parameters: { ...SCOPE_TYPES, mobiles: array(text) },
  columns: { mobile: text, isOn: boolean, hasMoney: boolean, network: text },
});

export async function listPhones(db: Queryable, { merchantId, environment: where }: Scope, mobiles: readonly string[]) {
  return LIST_PHONES.rows(db, { merchantId, environment: where, mobiles });
}

const LIST_RINGS = statement({
  name: 'list the prompts of test phones',
  text: `SELECT r.reference, r.mobile, r.network, r.missed, r.created_at AS "createdAt", p.amount, p.receipt,
           (SELECT s.status FROM sandbox_step s WHERE s.reference = r.reference AND s.due_at <= $now ORDER BY s.number DESC LIMIT 1) AS status,
           (SELECT b.reference FROM push_attempt a
            JOIN LATERAL ${billById('a.bill_id')} ON b.merchant_id = $merchantId AND b.environment = $environment
            WHERE a.our_reference = r.reference) AS "billReference"
         FROM unnest($mobiles::text[]) AS t (mobile)
         CROSS JOIN LATERAL (SELECT * FROM sandbox_ring r WHERE ${SCOPE} AND r.mobile = t.mobile ORDER BY created_at DESC LIMIT $limit) r
         JOIN sandbox_prompt p ON p.reference = r.reference
         ORDER BY r.created_at DESC, r.reference`,
  parameters: { ...SCOPE_TYPES, mobiles: array(text), now: timestamptz, limit: int8 },
  columns: {
    reference: text,
    mobile: text,
    network: text,
    missed: boolean,
    createdAt: timestamptz,
    /** Whole shillings. */
    amount: int8,
    receipt: text,
    /** The current state of the prompt; null while it waits for an answer. */
    status: nullable(text),
    billReference: nullable(text),
  },
});

export type Ring = Awaited<ReturnType<typeof listRings>>[number];

/** Returns the newest prompts of each number, newest first. */
export async function listRings(
  db: Queryable,
  { merchantId, environment: where }: Scope,
  { mobiles, now, limit }: { readonly mobiles: readonly string[]; readonly now: Date; readonly limit: number },
) {
  return LIST_RINGS.rows(db, { merchantId, environment: where, mobiles, now, limit: BigInt(limit) });
}

const ANSWER_RING = statement({
  name: 'answer a prompt on a test phone',
  // A prompt on a test phone has one step in the simulator: it expires. The statement changes this step to the person's answer, unless
  // the step is already due or a worker has claimed it.
  text: `UPDATE sandbox_step s SET due_at = $now,
           status = CASE WHEN $answer = 'DECLINED' OR $answer = 'WRONG_PIN' THEN $answer WHEN p.has_money THEN 'PAID' ELSE 'INSUFFICIENT_BALANCE' END
         FROM sandbox_ring r JOIN sandbox_phone p USING (merchant_id, environment, mobile)
         WHERE r.reference = $reference AND r.merchant_id = $merchantId AND r.environment = $environment
           AND NOT r.missed AND p.is_on
           AND s.reference = r.reference AND s.number = 0 AND s.status = 'EXPIRED' AND s.due_at > $now AND s.tries = 0
         RETURNING 1 AS answered`,
  parameters: { ...SCOPE_TYPES, reference: text, answer: text, now: timestamptz },
  columns: { answered: int4 },
});

/** Answers a prompt. @returns false if the prompt no longer waits for an answer, belongs to another merchant, or if its phone is off. */
export async function answerRing(
  db: Queryable,
  { merchantId, environment: where }: Scope,
  { reference, answer, now }: { readonly reference: string; readonly answer: 'PAID' | 'DECLINED' | 'WRONG_PIN'; readonly now: Date },
): Promise<boolean> {
  return (await ANSWER_RING.rows(db, { merchantId, environment: where, reference, answer, now })).length > 0;
}

const LINKS_ENDED = statement({
  name: 'count how often links to test phones were ended',
  text: `SELECT m.name AS "merchantName",
           coalesce((SELECT links_ended FROM sandbox_settings WHERE ${SCOPE}), 0) AS "linksEnded"
         FROM merchant m WHERE m.id = $merchantId`,
  parameters: SCOPE_TYPES,
  columns: { merchantName: text, linksEnded: int4 },
});

/**
 * Returns a merchant's name, and how often the merchant has made all links to its test phones invalid; undefined if there is no such
 * merchant.
 */
export async function findPhoneOwner(db: Queryable, { merchantId, environment: where }: Scope) {
  return LINKS_ENDED.first(db, { merchantId, environment: where });
}

const END_LINKS = statement({
  name: 'end the links to test phones',
  text: `INSERT INTO sandbox_settings (merchant_id, environment, links_ended) VALUES ($merchantId, $environment, 1)
         ON CONFLICT (merchant_id, environment) DO UPDATE SET links_ended = sandbox_settings.links_ended + 1`,
  parameters: SCOPE_TYPES,
  columns: {},
});

export async function countEndedLinks(tx: Queryable, { merchantId, environment: where }: Scope): Promise<void> {
  await END_LINKS.rows(tx, { merchantId, environment: where });
}
