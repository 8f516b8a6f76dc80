import type { X509Certificate } from 'node:crypto';

/** Why a certificate was refused, with the facts that the merchant needs. The texts come from the certificate. */
export interface CertificateFault {
  readonly kind: 'cert_expired' | 'cert_not_yet_valid' | 'cert_untrusted' | 'cert_wrong_name' | 'tls';
  readonly data: Readonly<Record<string, string>>;
}

/** Node's error codes for an issuer that is not trusted, with the code of what the merchant must fix. */
const UNTRUSTED: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'self_signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'unknown_issuer',
  UNABLE_TO_GET_ISSUER_CERT: 'unknown_issuer',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'unknown_issuer',
  // The server sent only its own certificate: the intermediate certificate is missing, or the issuer is unknown.
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'incomplete_chain',
};

/** Node has no codes for certificates whose key or signature is too weak. These are the ends of OpenSSL's messages. */
const WEAK = /(?:key|algorithm) too weak$/;

/** Error codes of certificate checks. Node checks the certificate before it sends anything. */
const CERTIFICATE_CODE = /^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_TLS_CERT)/;

/** Returns whether an error says that a certificate was refused. */
export function isCertificateError({ code, message }: CertificateError): boolean {
  return CERTIFICATE_CODE.test(code) || WEAK.test(message);
}

/** An error of Node's certificate check. */
interface CertificateError {
  /** nodejs.org/api/tls.html#x509-certificate-error-codes */
  readonly code: string;
  readonly message: string;
}

/**
 * Explains why a certificate was refused.
 * @param peer the receiver's certificate, if it is available. @param now the time at which the certificate was checked.
 */
export function certificateFault({ code, message }: CertificateError, peer: X509Certificate | undefined, now: Date): CertificateFault {
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      if (peer && peer.validToDate > now) return { kind: 'cert_untrusted', data: { reason: 'issuer_expired', ...issuerOf(peer) } };
      return { kind: 'cert_expired', data: peer ? { validTo: peer.validToDate.toISOString() } : {} };
    case 'CERT_NOT_YET_VALID':
      if (peer && peer.validFromDate <= now) break;
      return { kind: 'cert_not_yet_valid', data: peer ? { validFrom: peer.validFromDate.toISOString() } : {} };
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return { kind: 'cert_wrong_name', data: peer ? { names: namesOf(peer) } : {} };
  }
  if (WEAK.test(message)) return { kind: 'tls', data: { code, fault: 'weak' } };
  const reason = UNTRUSTED[code];
  return reason ? { kind: 'cert_untrusted', data: { reason, ...(peer ? issuerOf(peer) : {}) } } : { kind: 'tls', data: { code } };
}

function namesOf({ subjectAltName, subject }: X509Certificate): string {
  return subjectAltName?.replace(/\b(DNS|IP Address):/g, '') || fieldOf(subject, 'CN') || '';
}

function issuerOf({ issuer }: X509Certificate): { issuer?: string } {
  const name = fieldOf(issuer, 'CN') ?? fieldOf(issuer, 'O');
  return name === undefined ? {} : { issuer: name };
}

/** Returns a field of a subject or issuer. @param subject in Node's format, with one field per line. */
function fieldOf(subject: string | undefined, field: string): string | undefined {
  return subject
    ?.split('\n')
    .find((line) => line.startsWith(`${field}=`))
    ?.slice(field.length + 1);
}
