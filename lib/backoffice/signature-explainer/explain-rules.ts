import { createHmac } from 'node:crypto';
import { webhookJson } from '@/lib/gateway/bills/bill-json';
import { webhookSchema } from '@/lib/gateway/webhooks/feed/feed-schema';
import { SECOND_MS } from '@/lib/platform/core/clock';
import { INVISIBLE } from '@/lib/platform/core/text';
import type { Locale } from '@/lib/platform/i18n/locale';
import type { Messages } from '@/lib/platform/i18n/messages';
import { translator } from '@/lib/platform/i18n/translator';

/** Limit for the body and for the headers. Bili sends no larger body, also if the receiver's program has escaped and indented it. */
export const MAX_BYTES = 8 * 1024;
/** Libraries of Standard Webhooks refuse timestamps that differ from the current time by more than this. */
const TOLERANCE_SECONDS = 300;

/** A result of the check of a signature: the key of its text, and what the text shows. It contains no secret. */
export interface Finding {
  readonly code: keyof Messages['SignatureFinding'];
  readonly data: Readonly<Record<string, string | number>>;
}

/** Describes a finding in a sentence: what differs, and what to do about it. */
export function describeFinding(locale: Locale, { code, data }: Finding): string {
  return translator(locale, 'SignatureFinding')(code, data);
}

/** A secret of the merchant, to compare with a pasted one. It is never shown. */
export interface KnownSecret {
  readonly secret: string;
  /** Why this secret does not verify the webhooks of this environment. Empty if it does. */
  readonly problems: readonly Finding[];
}

/** What Bili knows about the webhook. */
export interface Known {
  readonly secrets: readonly KnownSecret[];
  /** The delivery with this webhook-id; null if there is none. */
  readonly delivery: { readonly body: Uint8Array; readonly attemptTimes: readonly Date[] } | null;
}

export interface ExplainInput {
  /** The bytes that the merchant's code used as the body. */
  readonly body: Uint8Array;
  /** The headers in any usual text format. */
  readonly headers: string;
  /** The secret that the merchant's code used. */
  readonly secret: string;
  /** The signature that the merchant's code computed, if the merchant knows it. */
  readonly computed?: string | undefined;
  readonly now: Date;
  readonly known: Known;
}

/** Explains which part of a merchant's signature check is wrong. @returns findings without secrets, the most important one first. */
export function explain({ body, headers: pasted, secret, computed = '', now, known }: ExplainInput): Finding[] {
  if (body.length > MAX_BYTES || Buffer.byteLength(pasted) > MAX_BYTES) return finding('too_large', { limit: MAX_BYTES });
  const headers = readHeaders(pasted);
  const key = secretKey(secret);
  const match = findMatch(headers, { body, key, known });
  const sent = match?.body ?? known.delivery?.body ?? null;
  const problems = [...checkHeaders(headers, match), ...checkSecret(key, match, known), ...checkBody(body, sent)];
  return [
    ...problems,
    ...(key ? checkComputed(computed, headers, { secret, key, received: body, sent, match }) : []),
    ...(key && problems.length === 0 ? verdict(headers, key, body, match) : []),
    ...notes(headers, match, now, known),
  ];
}

export function finding(code: Finding['code'], data: Finding['data'] = {}): Finding[] {
  return [{ code, data }];
}

/** The three headers of Standard Webhooks. A header that was not found is an empty text. */
interface Headers {
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
  /** The signatures of version 1 in the header, without `v1,`. A proxy may have joined several headers with commas. */
  readonly signatures: readonly string[];
}

/**
 * Finds the three headers in a text of any usual format: `Name: value` lines, also with the `<` or `>` of `curl -v`, JSON, a printed
 * object of PHP, Python, Ruby, Go or Node, or environment variables such as HTTP_WEBHOOK_ID. Ignores letter case.
 */
export function readHeaders(text: string): Headers {
  // Programs that write JSON may escape slashes and quotes.
  const plain = text.replaceAll('\\', '');
  const find = (name: string) => {
    const label = `(?<![\\w-])(?:http[-_])?webhook[-_]${name}["'\\]]*[ \\t]*`;
    const value = `(?:=>|[:=]|,\\s*)[ \\t]*(?:\\[\\s*)?["']?([^"'\\])\\r\\n]{0,500})`;
    const found = new RegExp(label + value, 'i').exec(plain)?.[1] ?? '';
    return found.replace(/[,;\s]+$/, '').trimStart();
  };
  const signature = find('signature');
  const signatures = [...signature.matchAll(/(?<![\w+/])v1,([\w+/=-]+)/g)].map(([, base64 = '']) => base64);
  return { id: find('id'), timestamp: find('timestamp'), signature, signatures };
}

/** Length of an HMAC-SHA256 in base64, in characters. */
const SIGNATURE_LENGTH = 44;

function checkHeaders({ id, timestamp, signature, signatures }: Headers, match: Match | null): Finding[] {
  const given = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
  const found = Object.entries(given).flatMap(([header, value]) => (value === '' ? finding('header_missing', { header }) : []));
  const whole = signatures.length > 0 && signatures.every(({ length }) => length === SIGNATURE_LENGTH);
  if (signature !== '' && !whole) found.push(...finding('signature_malformed', { value: signature.slice(0, 60) }));
  if (timestamp === '') return found;
  if (!/^\d{10}$/.test(timestamp)) return [...found, ...finding('timestamp_malformed', { value: timestamp.slice(0, 60) })];
  return match && match.timestamp !== timestamp ? [...found, ...finding('timestamp_not_signed')] : found;
}

const PREFIX = 'whsec_';

/** Returns the key bytes of a secret, or null if the text is not base64, or not of 24 to 64 bytes as Standard Webhooks 1.0.0 defines. */
function secretKey(text: string): Buffer | null {
  const encoded = text.startsWith(PREFIX) ? text.slice(PREFIX.length) : text;
  const key = Buffer.from(encoded.slice(0, 100), 'base64');
  return key.toString('base64') === encoded && key.length >= 24 && key.length <= 64 ? key : null;
}

function checkSecret(key: Buffer | null, match: Match | null, { secrets, delivery }: Known): Finding[] {
  if (!key) return finding('secret_malformed');
  const same = secrets.find(({ secret }) => secretKey(secret)?.equals(key));
  if (same) return [...same.problems];
  // A secret that has signed a delivery of this merchant was replaced since.
  return finding(delivery && match?.key.equals(key) ? 'secret_old' : 'secret_wrong');
}

/** Returns the signature of Standard Webhooks in base64, without the prefix `v1,`. @param timestamp Unix seconds. */
function signatureOf(key: Uint8Array, { id }: Headers, timestamp: string, body: Uint8Array): string {
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
}

/** The inputs that give one of the signatures in the header. */
interface Match {
  readonly key: Buffer;
  readonly timestamp: string;
  readonly body: Uint8Array;
  /** The position of the signature in the header, from 1. */
  readonly position: number;
}

/** Tries keys, timestamps and bodies until they give one of the header's signatures. The match then proves what was signed. */
function findMatch(headers: Headers, { body, key: pasted, known }: { body: Uint8Array; key: Buffer | null; known: Known }): Match | null {
  const keys = [pasted, ...known.secrets.map(({ secret }) => secretKey(secret))].filter((key) => key !== null);
  const rewritten = parseWebhook(decode(body))?.sent;
  const bodies = [body, ...(known.delivery ? [known.delivery.body] : []), ...(rewritten === undefined ? [] : [Buffer.from(rewritten)])];
  const attempts = (known.delivery?.attemptTimes ?? []).map((at) => String(Math.floor(at.getTime() / SECOND_MS)));
  for (const timestamp of [headers.timestamp, ...attempts]) {
    for (const candidate of bodies) {
      for (const key of keys) {
        const position = headers.signatures.indexOf(signatureOf(key, headers, timestamp, candidate)) + 1;
        if (position > 0) return { key, timestamp, body: candidate, position };
      }
    }
  }
  return null;
}

/** Returns how the received body differs from the sent one. @param sent null if it is not known. */
function checkBody(receivedBytes: Uint8Array, sentBytes: Uint8Array | null): Finding[] {
  if (sentBytes && Buffer.compare(sentBytes, receivedBytes) === 0) return [];
  const received = decode(receivedBytes);
  const notJson = parseJson(received) === undefined ? finding('body_not_json') : [];
  if (!sentBytes) return notJson;
  const sent = decode(sentBytes);
  return [...(notJson.length > 0 ? notJson : bodyChange(sent, received)), ...firstDifference(sent, received)];
}

/** Returns the kind of a change that programs often make to a body. (`trim` also removes a byte order mark.) */
function bodyChange(sent: string, received: string): Finding[] {
  if (sent.trim() === received.trim()) return finding('body_spaces_changed');
  const [ours, theirs] = [parseWebhook(sent), parseWebhook(received)];
  if (theirs?.sent === sent) return finding('body_reserialized');
  if (withoutForeign(sent) === withoutForeign(received)) return finding('body_characters_changed');
  const another = ours && theirs && (ours.bill.id !== theirs.bill.id || ours.bill.status !== theirs.bill.status);
  return another ? finding('body_of_another_webhook') : [];
}

/** Removes all characters that another encoding may have changed, and those that replace them. */
function withoutForeign(text: string): string {
  return text.replace(/[^ -~]|\?/g, '');
}

/** Lengths of an excerpt's parts before and after the start of the first difference, in characters. */
const BEFORE = 12;
const AFTER = 20;

function firstDifference(sent: string, received: string): Finding[] {
  let at = 0;
  while (at < sent.length && sent[at] === received[at]) at += 1;
  return finding('body_differs', { position: at + 1, sent: excerpt(sent, at), received: excerpt(received, at) });
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Returns a part of a text around a position. Writes line breaks and other invisible characters as escapes. */
function excerpt(text: string, at: number): string {
  const [from, to] = [Math.max(0, at - BEFORE), at + AFTER];
  const written = (unit: string) => SHORT_ESCAPES[unit] ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const shown = text.slice(from, to).toWellFormed();
  const escaped = shown.replace(INVISIBLE, (character) => character.split('').map(written).join(''));
  return `${from > 0 ? '…' : ''}${escaped}${to < text.length ? '…' : ''}`;
}

/** Decodes UTF-8 and keeps a byte order mark. Invalid bytes become U+FFFD. */
function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.trim());
  } catch {
    return undefined;
  }
}

/** Returns the bill in the body of a webhook, and the body that Bili writes for this bill. Null if the text is not such a body. */
function parseWebhook(text: string) {
  const { data } = webhookSchema.safeParse(parseJson(text));
  const senti = Math.round((data?.bill.amount ?? 0) * 100);
  if (!data || !Number.isSafeInteger(senti)) return null;
  return { bill: data.bill, sent: webhookJson({ ...data.bill, amount: BigInt(senti) }) };
}

interface Inputs {
  readonly secret: string;
  readonly key: Buffer;
  readonly received: Uint8Array;
  /** Null if it is not known. */
  readonly sent: Uint8Array | null;
  readonly match: Match | null;
}

/** What programs put before the body when they sign, the right one first. The names stand for the values of the headers. */
const STARTS = [
  'webhook-id.webhook-timestamp.',
  '',
  'webhook-timestamp.',
  'webhook-id.',
  'webhook-timestamp.webhook-id.',
  'webhook-idwebhook-timestamp',
  'webhook-id:webhook-timestamp:',
];

/** Finds out how the merchant's code computed its signature: tries the usual mistakes until one gives the same signature. */
function checkComputed(computed: string, headers: Headers, { secret, key, received, sent, match }: Inputs): Finding[] {
  const { id, timestamp, signatures } = headers;
  if (computed.trim() === '' || id === '' || timestamp === '') return [];
  const read = readComputed(computed);
  if (!read) return finding('computed_unreadable');
  const webhook = parseWebhook(decode(received));
  const bodies: (readonly [string, string | Uint8Array])[] = [
    ['body', received],
    ['body', sent ?? received],
    ...(webhook ? [['JSON.stringify(…)', JSON.stringify({ bill: webhook.bill })] as const] : []),
    ['', ''],
    ['[object Object]', '[object Object]'],
    ['body\\n', Buffer.concat([received, Buffer.from('\n')])],
  ];
  const prefixed = secret.startsWith(PREFIX) ? secret : PREFIX + secret;
  // Some decoders of base64 accept the prefix, because it consists of characters of URL-safe base64.
  const keys = [key, Buffer.from(prefixed.slice(PREFIX.length)), Buffer.from(prefixed), Buffer.from(prefixed, 'base64')];
  for (const used of keys) {
    for (const start of STARTS) {
      for (const [name, body] of bodies) {
        const before = start.replace('webhook-id', () => id).replace('webhook-timestamp', () => timestamp);
        if (createHmac('sha256', used).update(before).update(body).digest('base64') !== read.base64) continue;
        const mistakes = [
          ...(used === key ? [] : finding('computed_key_not_decoded')),
          ...(start === STARTS[0] && name === 'body' ? [] : finding('computed_content', { signed: start + name })),
          ...(read.isBase64 ? [] : finding('computed_not_base64')),
        ];
        return mistakes.length > 0 || !signatures.includes(read.base64) ? mistakes : finding('computed_right');
      }
    }
  }
  const expected = match ? signatures[match.position - 1] : signatureOf(key, headers, timestamp, received);
  return finding('computed_differs', { expected: expected ?? '', received: read.base64 });
}

/** Reads a signature in hex, base64 or base64url, with or without its version. Returns null if it has not the length of an HMAC-SHA256. */
function readComputed(computed: string): { readonly base64: string; readonly isBase64: boolean } | null {
  const text = computed.trim().replace(/^(v1[,=]|sha256=)/, '');
  const hex = /^[0-9a-f]{64}$/i.test(text);
  if (!hex && !/^[\w+/-]{43}=?$/.test(text)) return null;
  const base64 = Buffer.from(text, hex ? 'hex' : 'base64').toString('base64');
  return { base64, isBase64: text === base64 };
}

function verdict(headers: Headers, key: Buffer, body: Uint8Array, match: Match | null): Finding[] {
  if (match) return finding('signature_right');
  const expected = signatureOf(key, headers, headers.timestamp, body);
  return finding('signature_differs', { expected, received: headers.signatures.join(' ').slice(0, 100) });
}

function notes({ id, timestamp, signatures }: Headers, match: Match | null, now: Date, { delivery }: Known): Finding[] {
  const age = Math.floor(now.getTime() / SECOND_MS) - Number(timestamp);
  const minutes = Math.floor(Math.abs(age) / 60);
  const signed = match?.timestamp === timestamp;
  return [
    ...(match && match.position > 1 ? finding('signature_among_several', { position: match.position, count: signatures.length }) : []),
    ...(signed && age > TOLERANCE_SECONDS ? finding('timestamp_old', { minutes }) : []),
    ...(signed && age < -TOLERANCE_SECONDS ? finding('timestamp_ahead', { minutes }) : []),
    ...(delivery || id === '' ? [] : finding('delivery_unknown', { id: id.slice(0, 60) })),
  ];
}
