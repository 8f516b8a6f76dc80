import type { Scope } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import { boolean, environment, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';

/** A number of a merchant's test phone, in national form. */
interface PhoneNumber extends Scope {
  readonly mobile: string;
}

/** A test phone that receives a prompt. */
export interface RungPhone extends PhoneNumber {
  readonly network: string;
  /** Whether the phone is switched off, so that nobody sees the prompt. */
  readonly missed: boolean;
}

const FIND_PHONE = statement({
  name: 'find an open test phone',
  text: `SELECT is_on AS "isOn" FROM sandbox_phone
         WHERE merchant_id = $merchantId AND environment = $environment AND mobile = $mobile AND held_until > $now`,
  parameters: { merchantId: uuid, environment, mobile: text, now: timestamptz },
  columns: { isOn: boolean },
});

/** Returns the test phone of a number; undefined if no open page shows this phone. */
export async function findPhone(db: Queryable, { merchantId, environment: where, mobile }: PhoneNumber, now: Date) {
  return FIND_PHONE.first(db, { merchantId, environment: where, mobile, now });
}

const INSERT_RING = statement({
  name: 'insert a prompt of a test phone',
  text: `INSERT INTO sandbox_ring (reference, merchant_id, environment, mobile, network, missed, created_at)
         VALUES ($reference, $merchantId, $environment, $mobile, $network, $missed, $createdAt)`,
  parameters: { reference: text, merchantId: uuid, environment, mobile: text, network: text, missed: boolean, createdAt: timestamptz },
  columns: {},
});

/** Stores that a test phone received a prompt. */
export async function insertRing(tx: Queryable, ring: RungPhone & { readonly reference: string; readonly createdAt: Date }): Promise<void> {
  await INSERT_RING.rows(tx, ring);
}
