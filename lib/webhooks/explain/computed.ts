import { createHmac } from 'node:crypto';
import { type BareCode, bare, type Finding } from './finding';
import { JSON_STYLES, parseJson, writeJson } from './json-text';
import { withoutPrefix } from './pasted-secret';
import { decodeUtf8 } from './text-damage';

/** Maximum number of combined mistakes. With more, the search would find computations that nobody uses. */
const MAX_MISTAKES = 2;
const MAX_LENGTH = 256;
/** Hash algorithms by the length of their result in bytes. */
const ALGORITHMS: Readonly<Record<number, string>> = { 20: 'sha1', 32: 'sha256', 48: 'sha384', 64: 'sha512' };

/** The signature that a merchant's code computed, and the inputs that the code had. */
interface Computation {
  readonly computed: string;
  readonly id: string;
  readonly timestamp: string;
  readonly received: Uint8Array;
  /** The body that Bili signed, if it is known. */
  readonly sent: Uint8Array | null;
  /** The secret as text and as key bytes. */
  readonly secret: { readonly text: string; readonly key: Uint8Array | null };
  readonly otherKeys: readonly Uint8Array[];
}

interface Explained {
  /** The merchant's signature, converted to base64 from the format in which the code wrote it; null if it cannot be decoded. */
  readonly signature: string | null;
  readonly findings: readonly Finding[];
  /** Whether the computation could be reproduced. If it could, and there are no findings, the signature is correct. */
  readonly understood: boolean;
}

interface Choice<Value> {
  readonly value: Value;
  readonly mistakes: readonly Finding[];
}

/** Finds out how a signature was computed: tries combinations of the usual mistakes, the fewest first, until one gives the signature. */
export function explainComputed(computation: Computation): Explained {
  const read = readComputed(computation.computed);
  if (!read) return { signature: null, findings: bare('computed_unreadable'), understood: false };
  const { bytes, findings } = read;
  const algorithm = ALGORITHMS[bytes.length] ?? 'sha256';
  const wrongAlgorithm: Finding[] = algorithm === 'sha256' ? [] : [{ code: 'computed_algorithm', data: { algorithm } }];
  const signature = bytes.toString('base64');
  for (const { value, mistakes } of candidates(computation)) {
    const { key, parts } = value;
    const hmac = createHmac(algorithm, key);
    for (const part of parts) hmac.update(part);
    if (hmac.digest().equals(bytes)) return { signature, findings: [...mistakes, ...wrongAlgorithm, ...findings], understood: true };
  }
  return { signature, findings: [], understood: false };
}

/** Decodes a signature from hex, base64 or base64url. @returns the bytes, and findings if the format is not base64. */
function readComputed(computed: string): { bytes: Buffer; findings: Finding[] } | null {
  const text = computed
    .trim()
    .replace(/^["']|["']$/g, '')
    .replace(/^(v1[,=]|sha\d+=)/, '');
  if (text.length > MAX_LENGTH) return null;
  if (/^[0-9a-f]+$/i.test(text) && text.length % 2 === 0 && text.length / 2 in ALGORITHMS) {
    return { bytes: Buffer.from(text, 'hex'), findings: bare('computed_hex') };
  }
  const bytes = Buffer.from(text, 'base64');
  if (!/^[\w+/-]+={0,2}$/.test(text) || !(bytes.length in ALGORITHMS)) return null;
  return { bytes, findings: text === bytes.toString('base64') ? [] : bare('computed_base64url') };
}

/** Returns all ways to compute a signature with at most MAX_MISTAKES mistakes, the fewest first. */
function candidates(computation: Computation): Choice<{ key: Uint8Array; parts: (string | Uint8Array)[] }>[] {
  const found = keys(computation).flatMap((key) =>
    bodies(computation).flatMap((body) => {
      if (key.mistakes.length + body.mistakes.length > MAX_MISTAKES) return [];
      return contents(computation, body.value).flatMap((content) => {
        const mistakes = [...key.mistakes, ...content.mistakes, ...body.mistakes];
        return mistakes.length > MAX_MISTAKES ? [] : [{ value: { key: key.value, parts: content.value }, mistakes }];
      });
    }),
  );
  return found.sort((a, b) => a.mistakes.length - b.mistakes.length);
}

function keys({ secret, otherKeys }: Computation): Choice<Uint8Array>[] {
  const prefixed = `whsec_${withoutPrefix(secret.text)}`;
  return [
    ...(secret.key ? [right(secret.key)] : []),
    wrong('computed_secret_as_text', Buffer.from(withoutPrefix(secret.text))),
    wrong('computed_prefixed_secret_as_text', Buffer.from(prefixed)),
    // Lenient base64 decoders decode the prefix `whsec_` too, because it consists of base64url characters.
    wrong('computed_prefix_decoded', Buffer.from(prefixed, 'base64')),
    ...otherKeys.filter((key) => !secret.key || Buffer.compare(key, secret.key) !== 0).map((key) => wrong('computed_other_secret', key)),
  ];
}

function bodies({ received, sent }: Computation): Choice<Uint8Array | string>[] {
  const text = decodeUtf8(received);
  const data = text === null ? undefined : parseJson(text);
  const rewritten = data === undefined ? [] : new Set(JSON_STYLES.map((style) => writeJson(data, style)));
  return [
    right(received),
    ...(sent ? [right(sent)] : []),
    ...[...rewritten].map((body) => wrong('computed_body_reserialized', body)),
    ...(text === null ? [] : [`${text}\n`, `${text}\r\n`, text.trim()].map((body) => wrong('computed_body_padded', body))),
    wrong('computed_body_printed_object', '[object Object]'),
    wrong('computed_body_empty', ''),
  ];
}

const SEPARATORS = ['', ':', ',', ';', '-', '_', '|', '/', ' ', '\n'];

function contents({ id, timestamp }: Computation, body: Uint8Array | string): Choice<(string | Uint8Array)[]>[] {
  const inMs = `${timestamp}000`;
  const ms = bare('computed_timestamp_in_milliseconds');
  return [
    right([`${id}.${timestamp}.`, body]),
    wrong('computed_body_alone', [body]),
    wrong('computed_id_missing', [`${timestamp}.`, body]),
    wrong('computed_timestamp_missing', [`${id}.`, body]),
    wrong('computed_parts_swapped', [`${timestamp}.${id}.`, body]),
    wrong('computed_parts_swapped', [body, `.${timestamp}.${id}`]),
    wrong('computed_parts_swapped', [body, `.${id}.${timestamp}`]),
    ...SEPARATORS.map((separator) => ({
      value: [`${id}${separator}${timestamp}${separator}`, body],
      mistakes: [{ code: 'computed_separator', data: { separator: JSON.stringify(separator) } } satisfies Finding],
    })),
    { value: [`${id}.${inMs}.`, body], mistakes: ms },
    { value: [`${inMs}.`, body], mistakes: [...ms, ...bare('computed_id_missing')] },
    { value: [`${inMs}.${id}.`, body], mistakes: [...ms, ...bare('computed_parts_swapped')] },
  ];
}

function right<Value>(value: Value): Choice<Value> {
  return { value, mistakes: [] };
}

function wrong<Value>(code: BareCode, value: Value): Choice<Value> {
  return { value, mistakes: bare(code) };
}
