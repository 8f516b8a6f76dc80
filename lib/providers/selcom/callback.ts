import { DAY_MS } from '@/lib/core/clock';
import { isRecord } from '@/lib/core/is-record';
import { parseMobile } from '@/lib/core/mobile';
import type { ProviderAccount, RawCallback, ReadCallback } from '@/lib/providers/port/port';
import { jsonReply, parseJson } from '@/lib/providers/port/raw-answer';
import { parseCredentials } from './credentials';
import { outcomeOf } from './read';
import { provenFields } from './signature';
import { RESULT_CODES, type Webhook, webhookSchema } from './wire';

/** The fields that a digest must cover to prove a payment. The documented list lacks the amount, and real callbacks had no signature. */
const NEEDED: readonly string[] = ['order_id', 'reference', 'payment_status', 'amount'];

/** An older callback is not believed, so that nobody can record one and send it again later. */
const MAX_AGE_MS = DAY_MS;
/** The form of a timestamp. Any other text could contain fields, because the digest covers the text `timestamp=…&name=value&…`. */
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;

function isRecent(timestamp: string, now: Date): boolean {
  return TIMESTAMP.test(timestamp) && Math.abs(now.getTime() - Date.parse(timestamp)) <= MAX_AGE_MS;
}

/** Tells whether a name or value ends where the digest says. A value with "&" or "=" could hide other fields. */
function isClear(part: unknown): boolean {
  return !/[&=]/.test(String(part));
}

/** Interprets a callback. Its outcome counts only if a digest proves all fields of the payment; otherwise a status query decides. */
export function readSelcomCallback(account: ProviderAccount, { headers, body }: RawCallback, now: Date): ReadCallback {
  const json = parseJson(body);
  const webhook = webhookSchema.safeParse(json).data;
  const payer = parseMobile(webhook?.phone ?? webhook?.msisdn ?? '');
  const names = { reference: webhook?.order_id ?? null, payer, reply: jsonReply({}) };
  const credentials = parseCredentials(account.credentials);
  if (webhook && isRecord(json) && credentials.ok && saysPaid(webhook)) {
    // A callback may misspell `resultcode` as `resulcode`, while its digest covers the right name.
    const values: Readonly<Record<string, unknown>> = { resultcode: json.resulcode, ...json };
    const proven = provenFields(headers, values, credentials.value.apiSecret);
    const outcome = outcomeOf({ ...webhook, payment_status: webhook.payment_status ?? '' });
    const clear = isRecent(headers.timestamp ?? '', now) && proven?.every((name) => isClear(name) && isClear(values[name]));
    if (proven && clear && NEEDED.every((name) => proven.includes(name)) && outcome.kind === 'paid')
      return { ...names, verified: true, outcome };
  }
  const claimsPaid = webhook?.payment_status === 'COMPLETED' || webhook?.result === 'SUCCESS';
  return { ...names, verified: false, outcome: null, claimsPaid };
}

/** Returns whether all members of a callback say that the order is paid. */
function saysPaid({ payment_status, result, resultcode, resulcode }: Webhook): boolean {
  const codes = [resultcode, resulcode].filter((code) => code !== undefined && code !== null);
  return payment_status === 'COMPLETED' && result === 'SUCCESS' && codes.length > 0 && codes.every((code) => code === RESULT_CODES.success);
}
