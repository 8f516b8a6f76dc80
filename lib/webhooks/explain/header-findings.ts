import { isUuid } from '@/lib/core/ids';
import type { Finding } from './finding';
import type { PastedHeaders } from './pasted-headers';
import { v1Signatures } from './signed-content';

/** Length of an HMAC-SHA256 in base64, in characters. */
const SIGNATURE_LENGTH = 44;
/** Maximum length of a header value in findings, in characters. */
const SHOWN = 60;

export interface ReadHeaders {
  readonly id: string | undefined;
  /** Unix seconds, or null if it is missing or unreadable. */
  readonly timestamp: string | null;
  /** The signatures of version 1, without `v1,`. */
  readonly signatures: readonly string[];
  readonly findings: readonly Finding[];
}

/** Parses the three headers. Reports the problems that are visible in the headers alone. */
export function judgeHeaders({ id, timestamp, signature }: PastedHeaders): ReadHeaders {
  const given = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
  const missing = Object.entries(given).flatMap(([header, value]) =>
    value === undefined ? [{ code: 'header_missing', data: { header } } satisfies Finding] : [],
  );
  const time = readTimestamp(timestamp);
  const signatures = v1Signatures(signature ?? '');
  return {
    id,
    timestamp: time.seconds,
    signatures,
    findings: [...missing, ...judgeId(id), ...time.findings, ...judgeSignature(signature, signatures)],
  };
}

function judgeId(id: string | undefined): Finding[] {
  const ours = id === undefined || (id.startsWith('msg_') && isUuid(id.slice('msg_'.length)));
  return ours ? [] : [{ code: 'id_not_ours', data: { id: id.slice(0, SHOWN) } }];
}

function readTimestamp(text: string | undefined): { seconds: string | null; findings: Finding[] } {
  if (text === undefined) return { seconds: null, findings: [] };
  if (/^\d{13}$/.test(text))
    return { seconds: text.slice(0, 10), findings: [{ code: 'timestamp_in_milliseconds', data: { value: text } }] };
  if (/^\d{1,12}$/.test(text)) return { seconds: text, findings: [] };
  return { seconds: null, findings: [{ code: 'timestamp_malformed', data: { value: text.slice(0, SHOWN) } }] };
}

function judgeSignature(header: string | undefined, signatures: readonly string[]): Finding[] {
  if (header === undefined) return [];
  if (signatures.length === 0) return [{ code: 'signature_malformed', data: { value: header.slice(0, SHOWN) } }];
  const cut = signatures.find(({ length }) => length !== SIGNATURE_LENGTH);
  return cut === undefined ? [] : [{ code: 'signature_cut', data: { length: cut.length } }];
}
