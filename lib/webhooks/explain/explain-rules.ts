import { MINUTE_MS, SECOND_MS } from '@/lib/core/clock';
import { bodyChanges, checkRawBody } from './body-changes';
import { explainComputed } from './computed';
import { findMatch, type Known, knownKeys, type SignatureMatch } from './find-match';
import { bare, type Finding, sortFindings } from './finding';
import { judgeHeaders, type ReadHeaders } from './header-findings';
import { readHeaders } from './pasted-headers';
import { type PastedSecret, readSecret } from './pasted-secret';
import { judgeSecret } from './secret-findings';

/** Bili sends no larger body, also if the receiver's program has escaped and indented it. The search for mistakes tries many versions of it. */
export const MAX_BODY_BYTES = 8 * 1024;
const MAX_HEADERS_BYTES = 16 * 1024;
/** Libraries of Standard Webhooks refuse timestamps that differ from the current time by more than this. */
const TOLERANCE_SECONDS = 300;
/** An attempt is logged after its answer, so an attempt that is younger than this may still be missing in the log. */
const UNLOGGED_MS = MINUTE_MS;

export interface ExplainInput {
  /** The bytes that the merchant's code used as the body. */
  readonly body: Uint8Array;
  /** The headers in any usual text format. */
  readonly headers: string;
  /** The secret as pasted, for example with quotes or a variable name. */
  readonly secret: string;
  /** The signature that the merchant's code computed. */
  readonly computed?: string | undefined;
  readonly now: Date;
  readonly known?: Known | undefined;
}

/** Explains which part of a merchant's signature check is wrong. @returns findings without secrets, the verdict first. */
export function explain(input: ExplainInput): Finding[] {
  if (input.body.length > MAX_BODY_BYTES) return [{ code: 'body_too_large', data: { limit: MAX_BODY_BYTES } }];
  if (Buffer.byteLength(input.headers) > MAX_HEADERS_BYTES) return [{ code: 'headers_too_large', data: { limit: MAX_HEADERS_BYTES } }];
  const headers = judgeHeaders(readHeaders(input.headers));
  const secret = readSecret(input.secret);
  const match = findMatch({ body: input.body, headers, key: secret.key, known: input.known });
  const signedOnce = match !== null && secret.key?.equals(match.key) === true && Boolean(input.known?.delivery);
  const problems = [
    ...headers.findings,
    ...judgeSecret(secret, input.known?.secrets ?? null, { signedOnce, now: input.now }),
    ...judgeBody(input, match),
    ...judgeTimestamp(input, headers, match),
  ];
  const computed = judgeComputed({
    computed: input.computed ?? '',
    headers,
    secret,
    received: input.body,
    sent: match?.body ?? input.known?.delivery?.body ?? null,
    otherKeys: knownKeys(input.known),
  });
  return sortFindings([...problems, ...computed, ...judgeSignature(problems, input, match, headers), ...notes(input, headers, match)]);
}

function judgeBody({ body, known }: ExplainInput, match: SignatureMatch | null): Finding[] {
  const sent = match?.body ?? known?.delivery?.body;
  return sent ? bodyChanges(sent, body) : checkRawBody(body);
}

function judgeTimestamp({ known, now }: ExplainInput, { timestamp }: ReadHeaders, match: SignatureMatch | null): Finding[] {
  if (timestamp === null) return [];
  if (match) return match.timestamp === timestamp ? [] : bare('headers_of_different_tries');
  const times = known?.delivery?.attemptTimes ?? [];
  const recent = now.getTime() - Number(timestamp) * SECOND_MS < UNLOGGED_MS;
  const ours = times.some((at) => Math.floor(at.getTime() / SECOND_MS) === Number(timestamp));
  return times.length === 0 || recent || ours ? [] : bare('timestamp_not_ours');
}

function judgeSignature(
  problems: readonly Finding[],
  { known }: ExplainInput,
  match: SignatureMatch | null,
  { signatures }: ReadHeaders,
): Finding[] {
  const wrong = problems.some(({ code }) => code !== 'secret_prefix_missing' && code !== 'secret_is_previous' && code !== 'id_not_ours');
  if (wrong) return [];
  if (match) {
    const data = { position: match.position + 1, count: signatures.length };
    return [...bare('signature_right'), ...(match.position > 0 ? [{ code: 'signature_among_several', data } satisfies Finding] : [])];
  }
  return known?.delivery ? bare('signature_not_ours') : bare('nothing_fits');
}

function notes({ known, now }: ExplainInput, { id, timestamp }: ReadHeaders, match: SignatureMatch | null): Finding[] {
  const age = timestamp === null ? 0 : Math.floor(now.getTime() / SECOND_MS) - Number(timestamp);
  const minutes = Math.floor(Math.abs(age) / 60);
  return [
    ...(age > TOLERANCE_SECONDS && match ? [{ code: 'timestamp_old', data: { minutes } } satisfies Finding] : []),
    ...(age < -TOLERANCE_SECONDS ? [{ code: 'timestamp_ahead', data: { minutes } } satisfies Finding] : []),
    ...(known && !known.delivery && id !== undefined ? [{ code: 'delivery_unknown', data: { id } } satisfies Finding] : []),
  ];
}

interface Computed {
  readonly computed: string;
  readonly headers: ReadHeaders;
  readonly secret: PastedSecret;
  readonly received: Uint8Array;
  readonly sent: Uint8Array | null;
  readonly otherKeys: readonly Uint8Array[];
}

/** Explains how the merchant's code computed its signature, and whether that is correct. */
function judgeComputed({ computed, headers, secret, received, sent, otherKeys }: Computed): Finding[] {
  const { id, timestamp, signatures } = headers;
  const given = computed.trim();
  if (given === '' || id === undefined || timestamp === null) return [];
  const explained = explainComputed({ computed: given, id, timestamp, received, sent, secret, otherKeys });
  if (explained.findings.length > 0) return [...explained.findings];
  if (explained.signature === null || !signatures.includes(explained.signature)) {
    return bare(explained.understood ? 'computed_consistent' : 'computed_unexplained');
  }
  const found = [
    ...bare(...(given.startsWith('v1,') ? [] : (['computed_without_version'] as const))),
    ...bare(...(signatures.length > 1 ? (['computed_one_of_several'] as const) : [])),
  ];
  return found.length > 0 ? found : bare('computed_right');
}
