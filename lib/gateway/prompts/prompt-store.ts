import type { Bill } from '@/lib/gateway/bills/rules';
import { networkByPrefix } from '@/lib/gateway/networks/store';
import type { Attempt } from '@/lib/gateway/payments/rules';
import type { Environment } from '@/lib/platform/core/scope';
import { ADVISORY_LOCKS } from '@/lib/platform/db/advisory-locks';
import type { Connection, Queryable } from '@/lib/platform/db/database';
import type { PushAttempt } from '@/lib/platform/db/generated/client';
import { merchantProfile, promptRefusal, pushAttempt } from '@/lib/platform/db/generated/tables';
import { boolean, int4, pick, text, timestamptz } from '@/lib/platform/db/sql-types';
import { statement } from '@/lib/platform/db/statement';
import { NOT_SHOWN, type Prompt } from './decide-prompt';

/** An attempt with its source, and the id of the form that requested it. */
export type BillAttempt = Attempt & Pick<PushAttempt, 'source' | 'formId'>;

/** Returns the attempts of a bill with their sources, oldest first. */
export async function listBillAttempts({ prisma }: Connection, billId: string): Promise<BillAttempt[]> {
  return prisma.pushAttempt.findMany({ where: { billId }, orderBy: { id: 'asc' } });
}

const INSERT_ATTEMPT = statement({
  name: 'queue a prompt',
  text: `INSERT INTO push_attempt (id, merchant_id, environment, bill_id, source, form_id, mobile, network, amount, our_reference, state, due_at, created_at)
         VALUES ($id, $merchantId, $environment, $billId, $source, $formId, $mobile, $network, $amount, $ourReference, 'QUEUED', $now, $now)`,
  parameters: {
    ...pick(pushAttempt, 'id merchantId environment billId source formId mobile network amount ourReference'),
    now: timestamptz,
  },
});

type NewAttempt = Omit<Parameters<typeof INSERT_ATTEMPT.rows>[1], 'merchantId' | 'environment' | 'billId'> & {
  readonly bill: Pick<Bill, 'id' | 'merchantId' | 'environment'>;
};

/** Inserts an attempt in QUEUED. The caller has locked the bill. */
export async function insertAttempt(tx: Queryable, { bill, ...attempt }: NewAttempt): Promise<void> {
  const { merchantId, environment } = bill;
  await INSERT_ATTEMPT.rows(tx, { ...attempt, merchantId, environment, billId: bill.id });
}

const READ_NUMBER_AND_MERCHANT = statement({
  name: 'read a number and its merchant',
  text: `SELECT p.status = 'active' AS "merchantActive", p.partial_payments AS "partialPayments",
           EXISTS (SELECT 1 FROM prompt_refusal r WHERE r.environment = p.environment AND r.mobile = $mobile AND r.state = 'ACTIVE') AS refused,
           ${networkByPrefix('$mobile::text')} AS "prefixNetwork"
         FROM merchant_profile p WHERE p.merchant_id = $merchantId AND p.environment = $environment`,
  parameters: { ...pick(merchantProfile, 'merchantId environment'), mobile: promptRefusal.mobile },
  columns: {
    merchantActive: boolean,
    /** Whether customers may pay a part of a bill on the payment page. */
    partialPayments: merchantProfile.partialPayments,
    /** The number is blocked. */
    refused: boolean,
    /** The network of the number's prefix. */
    prefixNetwork: text,
  },
});

/** Returns the facts about a merchant and a number that decide about a prompt before it is queued. */
export async function readNumberAndMerchant(tx: Queryable, values: Parameters<typeof READ_NUMBER_AND_MERCHANT.rows>[1]) {
  const facts = await READ_NUMBER_AND_MERCHANT.first(tx, values);
  if (!facts) throw new Error(`merchant ${values.merchantId} has no profile`);
  return facts;
}

/** How many prompts are read per phone number: more than any limit allows. */
const MANY = 100;

const SELECTED_PROMPT = `a.state, a.failure_reason AS "failureReason", a.provider_account_id AS "providerAccountId", a.sent_at AS "sentAt",
  a.created_at AS "createdAt"`;
const PROMPT_COLUMNS = pick(pushAttempt, 'state failureReason providerAccountId sentAt createdAt');

/** Prompts that a phone may have shown and that were not approved. The condition must equal that of the index `push_attempt_prompts`. */
const MAY_COUNT = "a.state NOT IN ('SUCCEEDED', 'CANCELLED') AND (a.state <> 'FAILED' OR a.provider_account_id IS NOT NULL)";
/**
 * Excludes prompts that no phone showed. The statement excludes them itself, because otherwise many prompts to a wrong network would fill
 * the LIMIT and hide the shown ones.
 */
const SHOWN = `(a.failure_reason IS NULL OR a.failure_reason NOT IN (${NOT_SHOWN.map((reason) => `'${reason}'`).join()}))`;

const LOCK_NUMBER = statement({
  name: 'lock a number',
  text: 'SELECT FROM pg_advisory_xact_lock($lock, hashtext($number))',
  parameters: { lock: int4, number: text },
});

const LIST_PROMPTS = statement({
  name: 'list the prompts to a number',
  text: `SELECT ${SELECTED_PROMPT} FROM push_attempt a
         WHERE a.environment = $environment AND a.mobile = $mobile AND a.created_at > $since AND ${MAY_COUNT} AND ${SHOWN}
         ORDER BY a.created_at DESC LIMIT ${MANY}`,
  parameters: { ...pick(pushAttempt, 'environment mobile'), since: timestamptz },
  columns: PROMPT_COLUMNS,
});

/**
 * Locks a number and returns its prompts that may count towards its limits, for bills of all merchants. The lock of a bill is not enough,
 * because two bills can have prompts to the same number. The lock order is bill, then number, so that there is no deadlock.
 */
export async function lockPromptsTo(
  tx: Queryable,
  prompts: { readonly environment: Environment; readonly mobile: string; readonly since: Date },
): Promise<Prompt[]> {
  // The lock is a separate statement. While it waits, another transaction can commit a prompt, which only the next statement sees.
  await LOCK_NUMBER.rows(tx, { lock: ADVISORY_LOCKS.promptsToNumber, number: `${prompts.environment}:${prompts.mobile}` });
  return LIST_PROMPTS.rows(tx, prompts);
}

/** Returns the prompts to a number that may count towards its limits, for bills of all merchants. */
export async function listPromptsTo(
  db: Queryable,
  prompts: { readonly environment: Environment; readonly mobile: string; readonly since: Date },
): Promise<Prompt[]> {
  return LIST_PROMPTS.rows(db, prompts);
}

/**
 * SQL for a worker that is about to send the attempt `me`. It selects the prompts `a` that count towards the limits of the phone number of
 * `me`: the other prompts to this number that were given to a provider, and the older prompts to this number that still wait. So if two
 * workers send two prompts in parallel, the newer prompt counts the older one, but the older one does not count the newer one, and no lock
 * is needed. Only an attempt of the API needs this check. For an attempt from the payment page or the dashboard, the SQL selects nothing,
 * because its limits were checked when it was requested.
 */
export const PROMPTS_BEFORE = `push_attempt a
         WHERE a.environment = me.environment AND a.mobile = me.mobile AND me.source = 'api' AND a.id <> me.id AND a.created_at > $since
           AND ${MAY_COUNT} AND ${SHOWN}
           AND (a.id < me.id OR a.state NOT IN ('QUEUED', 'SENDING') OR (a.state = 'SENDING' AND a.provider_account_id IS NOT NULL))`;

const LIST_PROMPTS_BEFORE = statement({
  name: 'list-prompts-before',
  prepared: true,
  text: `SELECT prompt.* FROM push_attempt me
         CROSS JOIN LATERAL (SELECT ${SELECTED_PROMPT} FROM ${PROMPTS_BEFORE} ORDER BY a.created_at DESC LIMIT ${MANY}) prompt
         WHERE me.id = $attemptId`,
  parameters: { attemptId: pushAttempt.id, since: timestamptz },
  columns: PROMPT_COLUMNS,
});

/** Returns the prompts that count towards the limits of an attempt's phone number, as {@link PROMPTS_BEFORE} describes, newest first. */
export async function listPromptsBefore(db: Queryable, attemptId: string, since: Date): Promise<Prompt[]> {
  return LIST_PROMPTS_BEFORE.rows(db, { attemptId, since });
}
