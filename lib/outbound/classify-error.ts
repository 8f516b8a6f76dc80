import { errors } from 'undici';
import { type CertificateFault, certificateFault } from './certificate-facts';
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
  | 'forbidden'
  | 'other';

export interface OutboundError {
  readonly kind: OutboundErrorKind;
  /** Technical error message in English. */
  readonly detail: string;
  /** False if it is sure that the request was not sent, otherwise true. */
  readonly sent: boolean;
  /** The `stage` of a timeout, or the facts about a certificate. Some of these texts come from the receiver. */
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
/** Error codes of certificate checks. Node checks the certificate before it sends anything. */
const BAD_CERTIFICATE = /^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_TLS_CERT)/;

/** Classifies an error that a call has thrown. @param stage the step of the call at the time of the error; null if unknown. */
export function classifyError(error: unknown, stage: Stage | null): OutboundError {
  if (error instanceof NotConnected) return { ...classifyError(error.cause, stage), sent: false };
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const detail = (error instanceof Error ? error.message || code : String(error)).replace(/\p{Cc}/gu, '').slice(0, DETAIL_MAX);
  return { ...factsOf(error, code, stage), sent: !isBeforeRequest(error, code), detail: detail.toWellFormed() };
}

function factsOf(error: unknown, code: string, stage: Stage | null): Pick<OutboundError, 'kind' | 'data'> {
  if (error instanceof Forbidden) return { kind: 'forbidden', data: {} };
  if (error instanceof BadCertificate) return error.fault;
  if (BAD_CERTIFICATE.test(code)) return certificateFault(code, undefined, new Date());
  if (/^ERR_(TLS|SSL)/.test(code)) return { kind: 'tls', data: { code } };
  const kind = error instanceof Error && /^(Timeout|Abort)Error$/.test(error.name) ? 'timeout' : (KINDS[code] ?? 'other');
  return { kind, data: kind === 'timeout' && stage ? { stage } : {} };
}

/** Returns true if the error proves that no connection was established. Most codes prove nothing: they also occur later in a call. */
function isBeforeRequest(error: unknown, code: string): boolean {
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || BAD_CERTIFICATE.test(code) || error instanceof errors.InvalidArgumentError) return true;
  const attempts: unknown[] = error instanceof AggregateError ? error.errors : [error];
  return (
    attempts.length > 0 &&
    attempts.every((one) => one instanceof Error && 'syscall' in one && (one.syscall === 'connect' || one.syscall === 'getaddrinfo'))
  );
}
