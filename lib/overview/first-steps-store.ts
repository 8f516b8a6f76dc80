import type { Environment } from '@/lib/core/scope';
import type { Queryable } from '@/lib/db/database';
import { boolean, environment, nullable, timestamptz, uuid } from '@/lib/db/sql-types';
import { statement } from '@/lib/db/statement';

/** Which first steps a merchant has done in one environment, and whether the member has dismissed the list of first steps. */
export interface FirstSteps {
  readonly bill: boolean;
  /** Whether the team has another member, or somebody was invited. */
  readonly team: boolean;
  readonly key: boolean;
  readonly webhook: boolean;
  /** Whether customers see a number to call on the payment page. */
  readonly support: boolean;
  /** Whether this member has dismissed the steps. */
  readonly hidden: boolean;
}

interface Member {
  readonly merchantId: string;
  readonly environment: Environment;
  readonly userId: string;
}

const MEMBER = { merchantId: uuid, environment, userId: uuid };

const FIND_FIRST_STEPS = statement({
  name: 'find first steps',
  text: `SELECT EXISTS (SELECT 1 FROM api_key WHERE merchant_id = $merchantId AND environment = $environment AND revoked_at IS NULL) AS key,
           (SELECT true FROM bill WHERE merchant_id = $merchantId AND environment = $environment ORDER BY status, id LIMIT 1) IS NOT NULL AS bill,
           EXISTS (SELECT 1 FROM webhook_endpoint WHERE merchant_id = $merchantId AND environment = $environment AND url IS NOT NULL) AS webhook,
           (SELECT support_number IS NOT NULL FROM merchant WHERE id = $merchantId) IS TRUE AS support,
           EXISTS (SELECT 1 FROM membership WHERE merchant_id = $merchantId AND user_id <> $userId)
             OR EXISTS (SELECT 1 FROM invitation WHERE merchant_id = $merchantId AND revoked_at IS NULL) AS team,
           EXISTS (SELECT 1 FROM hidden_steps WHERE merchant_id = $merchantId AND user_id = $userId AND environment = $environment) AS hidden`,
  parameters: MEMBER,
  columns: { key: boolean, bill: boolean, webhook: boolean, support: boolean, team: boolean, hidden: boolean },
});

export async function findFirstSteps(db: Queryable, { merchantId, environment, userId }: Member): Promise<FirstSteps> {
  const steps = await FIND_FIRST_STEPS.first(db, { merchantId, environment, userId });
  if (!steps) throw new Error('the statement "find first steps" returned no row');
  return steps;
}

const HIDE = statement({
  name: 'hide first steps',
  text: `INSERT INTO hidden_steps (merchant_id, user_id, environment, hidden_at) VALUES ($merchantId, $userId, $environment, $now)
         ON CONFLICT DO NOTHING`,
  parameters: { ...MEMBER, now: timestamptz },
  columns: {},
});

export async function insertHiddenSteps(db: Queryable, { merchantId, environment, userId }: Member, now: Date): Promise<void> {
  await HIDE.rows(db, { merchantId, environment, userId, now });
}

/** What is missing before the live environment of a merchant can be activated. */
export interface ActivationSteps {
  /** Whether a sandbox bill was paid. */
  readonly tried: boolean;
  /** Whether customers see a number to call on the payment page. */
  readonly support: boolean;
  /** Whether this member has a second factor. In the live environment, members need one for changes. */
  readonly secondFactor: boolean;
  /** When a member asked the operator to activate the live environment; null if no member has asked. */
  readonly requestedAt: Date | null;
}

const FIND_ACTIVATION = statement({
  name: 'find what is missing for activation',
  text: `SELECT (SELECT true FROM bill WHERE merchant_id = $merchantId AND environment = 'sandbox' AND status = 'FULLY_PAID' ORDER BY id LIMIT 1)
             IS NOT NULL AS tried,
           (SELECT support_number IS NOT NULL FROM merchant WHERE id = $merchantId) IS TRUE AS support,
           EXISTS (SELECT 1 FROM second_factor WHERE user_id = $userId AND confirmed_at IS NOT NULL) AS "secondFactor",
           (SELECT activation_requested_at FROM merchant_profile WHERE merchant_id = $merchantId AND environment = $environment) AS "requestedAt"`,
  parameters: MEMBER,
  columns: { tried: boolean, support: boolean, secondFactor: boolean, requestedAt: nullable(timestamptz) },
});

export async function findActivationSteps(db: Queryable, { merchantId, environment, userId }: Member): Promise<ActivationSteps> {
  const steps = await FIND_ACTIVATION.first(db, { merchantId, environment, userId });
  if (!steps) throw new Error('the statement "find what is missing for activation" returned no row');
  return steps;
}
