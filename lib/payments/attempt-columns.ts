import { array, environment, int4, int8, nullable, text, timestamptz, uuid } from '@/lib/db/sql-types';
import { attemptState } from './sql-types';

/** The columns of an `Attempt`. The query aliases `push_attempt` as `a`. */
export const SELECTED_ATTEMPT = `a.id, a.merchant_id AS "merchantId", a.environment, a.bill_id AS "billId", a.provider_account_id AS "providerAccountId",
  a.mobile, a.network, a.amount, a.our_reference AS "ourReference", a.provider_reference AS "providerReference", a.state,
  a.failure_reason AS "failureReason", a.send_count AS "sendCount", a.query_count AS "queryCount", a.lease_token AS "leaseToken",
  a.created_at AS "createdAt", a.sent_at AS "sentAt", a.unknown_since AS "unknownSince", a.released_at AS "releasedAt", a.settled_at AS "settledAt",
  a.acknowledged_at AS "acknowledgedAt", a.answer_lost_at AS "answerLostAt", a.claimed_paid_at AS "claimedPaidAt",
  a.refused_account_ids AS "refusedAccountIds"`;

export const ATTEMPT_COLUMNS = {
  id: uuid,
  merchantId: uuid,
  environment,
  billId: uuid,
  providerAccountId: nullable(uuid),
  mobile: text,
  network: text,
  amount: int8,
  ourReference: text,
  providerReference: nullable(text),
  state: attemptState,
  failureReason: nullable(text),
  sendCount: int4,
  queryCount: int4,
  leaseToken: int4,
  createdAt: timestamptz,
  sentAt: nullable(timestamptz),
  unknownSince: nullable(timestamptz),
  releasedAt: nullable(timestamptz),
  settledAt: nullable(timestamptz),
  acknowledgedAt: nullable(timestamptz),
  answerLostAt: nullable(timestamptz),
  claimedPaidAt: nullable(timestamptz),
  refusedAccountIds: array(uuid),
};
