import { errors } from 'undici';
import { type CertificateFault, certificateFault, isCertificateError } from './certificate-facts';
import { BadCertificate } from './dial';
import type { Stage } from './stopwatch';
import { Forbidden, NotConnected } from './vetted-client';

type OutboundErrorKind =
  | 'refused'
  | 'name_not_found'
  | 'timeout'
  | 'reset'
  | CertificateFault['kind']
  | 'headers_too_large'
  | 'invalid_answer'
  | 'forbidden'
  | 'other';

export interface OutboundError {
  readonly kind: OutboundErrorKind;
  /** Technical error message in English. */
  readonly detail: string;
  /** False if it is sure that the request was not sent, otherwise true. */
  readonly sent: boolean;
  /** The `stage` of a timeout, the `fault` of a TLS connection or of an answer, or the facts about a certificate. Some of these texts come from the receiver. */
  readonly data: Readonly<Record<string, string>>;
}

const KINDS: Readonly<Record<string, OutboundErrorKind>> = {
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  ENOTFOUND: 'name_not_found',
  EAI_AGAIN: 'name_not_found',
  ENODATA: 'name_not_found',
  ESERVFAIL: 'name_not_found',
  EREFUSED: 'name_not_found',
  EBADNAME: 'name_not_found',
  ETIMEOUT: 'timeout',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  UND_ERR_HEADERS_OVERFLOW: 'headers_too_large',
};
/** Maximum length of `detail`, in characters. A message about a certificate can contain hundreds of names. */
const DETAIL_MAX = 500;
/** The TLS alerts (RFC 8446, 6) that name what the receiver must change. The names are parts of OpenSSL's error codes. */
const ALERTS = [
  [/NO_APPLICATION_PROTOCOL$/, 'http2'],
  [/CERTIFICATE_REQUIRED$/, 'client_certificate'],
  [/HANDSHAKE_FAILURE$/, 'refused'],
] as const;
/** What each fault means, for logs and for the messages of provider calls. */
const FAULTS: Readonly<Record<string, string>> = {
  http2: 'the server speaks only HTTP/2',
  client_certificate: 'the server requires a client certificate',
  refused: 'the server refused the TLS handshake: it may require a client certificate or unusual ciphers',
  weak: 'the key or the signature of the certificate is too weak',
  invalid_answer: 'the answer is not valid HTTP',
};

/** Classifies an error that a call has thrown. @param stage the step of the call at the time of the error; null if unknown. */
export function classifyError(error: unknown, stage: Stage | null): OutboundError {
  if (error instanceof NotConnected) return { ...classifyError(error.cause, stage), sent: false };
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const message = error instanceof Error ? error.message || code : String(error);
  const facts = factsOf(error, { code, message }, stage);
  const meaning = FAULTS[facts.data.fault ?? facts.kind];
  const detail = (meaning === undefined ? message : `${meaning}: ${message}`).replace(/\p{Cc}/gu, '').slice(0, DETAIL_MAX);
  return { ...facts, sent: !isBeforeRequest(error, { code, message }), detail: detail.toWellFormed() };
}

interface ErrorTexts {
  readonly code: string;
  readonly message: string;
}

function factsOf(error: unknown, about: ErrorTexts, stage: Stage | null): Pick<OutboundError, 'kind' | 'data'> {
  if (error instanceof Forbidden) return { kind: 'forbidden', data: {} };
  if (error instanceof BadCertificate) return error.fault;
  if (isCertificateError(about)) return certificateFault(about, undefined, new Date());
  const { code } = about;
  if (/^ERR_(TLS|SSL)/.test(code)) {
    const alert = ALERTS.find(([pattern]) => pattern.test(code));
    return { kind: 'tls', data: { code, ...(alert && { fault: alert[1] }) } };
  }
  if (isInvalidAnswer(error, about)) return { kind: 'invalid_answer', data: isHttp2(error) ? { fault: 'http2' } : {} };
  const kind = error instanceof Error && /^(Timeout|Abort)Error$/.test(error.name) ? 'timeout' : (KINDS[code] ?? 'other');
  return { kind, data: kind === 'timeout' && stage ? { stage } : {} };
}

/** undici names a switch to another protocol (101) that nobody asked for only in its message. */
function isInvalidAnswer(error: unknown, { code, message }: ErrorTexts): boolean {
  return error instanceof errors.HTTPParserError || code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' || message === 'bad upgrade';
}

/** Returns whether an answer began with a SETTINGS frame of HTTP/2: its length is small, and its type is 4 (RFC 9113, 4.1 and 6.5). */
function isHttp2(error: unknown): boolean {
  const begin = error instanceof Error && 'data' in error ? String(error.data) : '';
  return begin.charCodeAt(0) === 0 && begin.charCodeAt(1) === 0 && begin.charCodeAt(3) === 4;
}

/** Returns true if the error proves that no connection was established. Most codes prove nothing: they also occur later in a call. */
function isBeforeRequest(error: unknown, about: ErrorTexts): boolean {
  if (about.code === 'UND_ERR_CONNECT_TIMEOUT' || isCertificateError(about) || error instanceof errors.InvalidArgumentError) return true;
  const attempts: unknown[] = error instanceof AggregateError ? error.errors : [error];
  return (
    attempts.length > 0 &&
    attempts.every((one) => one instanceof Error && 'syscall' in one && (one.syscall === 'connect' || one.syscall === 'getaddrinfo'))
  );
}
