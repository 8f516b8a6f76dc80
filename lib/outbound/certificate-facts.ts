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

/**
 * Explains why a certificate was refused.
 * @param code Node's error code: nodejs.org/api/tls.html#x509-certificate-error-codes.
 * @param peer the receiver's certificate, if it is available. @param now the time at which the certificate was checked.
 */
export function certificateFault(code: string, peer: X509Certificate | undefined, now: Date): CertificateFault {
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
