import { MINUTE_MS, SECOND_MS } from '@/lib/core/clock';
import { bodyChanges, notRaw } from './body-changes';
import { judgeComputed } from './computed-findings';
import { type Fit, findFit, type Known, knownKeys } from './find-fit';
import { bare, type Finding, ranked } from './finding';
import { judgeHeaders, type ReadHeaders } from './header-findings';
import { readHeaders } from './pasted-headers';
import { readSecret } from './pasted-secret';
import { judgeSecret } from './secret-findings';

/** Bytes. */
const MAX_BODY_BYTES = 64 * 1024;
const MAX_HEADERS_BYTES = 16 * 1024;
/** How far from the present libraries accept a timestamp. */
const TOLERANCE_SECONDS = 300;
/** A try is written down once it is answered: one as young as this may not be known yet. */
const YOUNG_MS = MINUTE_MS;

export interface ExplainInput {
  /** The bytes that the merchant's code took for the body. */
  readonly body: Uint8Array;
  /** In any usual form. */
  readonly headers: string;
  /** As pasted, with whatever stands around it. */
  readonly secret: string;
  /** The signature that the merchant's code computed. */
  readonly computed?: string | undefined;
  readonly now: Date;
  readonly known?: Known | undefined;
}

/** @returns which part of a signature check differs from what it should be, the verdict first; no secret is in it. Pure. */
export function explain(input: ExplainInput): Finding[] {
  if (input.body.length > MAX_BODY_BYTES) return [{ code: 'body_too_large', data: { limit: MAX_BODY_BYTES } }];
  if (Buffer.byteLength(input.headers) > MAX_HEADERS_BYTES) return [{ code: 'headers_too_large', data: { limit: MAX_HEADERS_BYTES } }];
  const headers = judgeHeaders(readHeaders(input.headers));
  const secret = readSecret(input.secret);
  const fit = findFit({ body: input.body, headers, key: secret.key, known: input.known });
  const signedOnce = fit !== null && secret.key?.equals(fit.key) === true && Boolean(input.known?.delivery);
  const problems = [
    ...headers.findings,
    ...judgeSecret(secret, input.known?.secrets ?? null, { signedOnce, now: input.now }),
    ...judgeBody(input, fit),
    ...judgeTries(input, headers, fit),
  ];
  const computed = judgeComputed({
    computed: input.computed ?? '',
    headers,
    secret,
    received: input.body,
    sent: fit?.body ?? input.known?.delivery?.body ?? null,
    otherKeys: knownKeys(input.known),
  });
  return ranked([...problems, ...computed, ...conclusion(problems, input, fit, headers), ...notes(input, headers, fit)]);
}

function judgeBody({ body, known }: ExplainInput, fit: Fit | null): Finding[] {
  const sent = fit?.body ?? known?.delivery?.body;
  return sent ? bodyChanges(sent, body) : notRaw(body);
}

function judgeTries({ known, now }: ExplainInput, { timestamp }: ReadHeaders, fit: Fit | null): Finding[] {
  if (timestamp === null) return [];
  if (fit) return fit.timestamp === timestamp ? [] : bare('headers_of_different_tries');
  const tries = known?.delivery?.tries ?? [];
  const recent = now.getTime() - Number(timestamp) * SECOND_MS < YOUNG_MS;
  const ours = tries.some((at) => Math.floor(at.getTime() / SECOND_MS) === Number(timestamp));
  return tries.length === 0 || recent || ours ? [] : bare('timestamp_not_ours');
}

function conclusion(problems: readonly Finding[], { known }: ExplainInput, fit: Fit | null, { signatures }: ReadHeaders): Finding[] {
  const wrong = problems.some(({ code }) => code !== 'secret_prefix_missing' && code !== 'secret_is_previous' && code !== 'id_not_ours');
  if (wrong) return [];
  if (fit) {
    const data = { position: fit.place + 1, count: signatures.length };
    return [...bare('signature_right'), ...(fit.place > 0 ? [{ code: 'signature_among_several', data } satisfies Finding] : [])];
  }
  return known?.delivery ? bare('signature_not_ours') : bare('nothing_fits');
}

function notes({ known, now }: ExplainInput, { id, timestamp }: ReadHeaders, fit: Fit | null): Finding[] {
  const age = timestamp === null ? 0 : Math.floor(now.getTime() / SECOND_MS) - Number(timestamp);
  const minutes = Math.floor(Math.abs(age) / 60);
  return [
    ...(age > TOLERANCE_SECONDS && fit ? [{ code: 'timestamp_old', data: { minutes } } satisfies Finding] : []),
    ...(age < -TOLERANCE_SECONDS ? [{ code: 'timestamp_ahead', data: { minutes } } satisfies Finding] : []),
    ...(known && !known.delivery && id !== undefined ? [{ code: 'delivery_unknown', data: { id } } satisfies Finding] : []),
  ];
}
