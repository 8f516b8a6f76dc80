import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { addMs, DAY_MS } from '@/lib/platform/core/clock';

export interface TestCertificate {
  /** In PEM. Append other certificates to build a chain. */
  readonly cert: string;
  readonly key: string;
  readonly name: string;
  readonly privateKey: KeyObject;
}

interface CertificateOptions {
  /** The common name of the subject. */
  readonly name: string;
  /** The alternative names; `name` by default. If the list is empty, clients compare the host name with the common name. */
  readonly hosts?: readonly string[];
  /** The signer. Self-signed if missing. */
  readonly issuer?: TestCertificate;
  readonly from?: Date;
  readonly to?: Date;
}

/** Creates a certificate (X.509 v3, ECDSA P-256, also usable as CA) for a test server. */
export function makeCertificate({ name, hosts = [name], issuer, from, to }: CertificateOptions): TestCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const now = new Date();
  const content = sequence(
    tlv(0xa0, tlv(0x02, Buffer.from([2]))),
    tlv(0x02, Buffer.from(String(process.hrtime.bigint()))),
    ECDSA_WITH_SHA256,
    nameOf(issuer?.name ?? name),
    sequence(time(from ?? addMs(now, -DAY_MS)), time(to ?? addMs(now, DAY_MS))),
    nameOf(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    tlv(0xa3, sequence(extension('551d13', sequence(TRUE)), ...(hosts.length > 0 ? [hostsOf(hosts)] : []))),
  );
  const signature = sign('sha256', content, issuer?.privateKey ?? privateKey);
  const certificate = sequence(content, ECDSA_WITH_SHA256, tlv(0x03, Buffer.concat([Buffer.from([0]), signature])));
  return { cert: pem(certificate), key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })), name, privateKey };
}

// The following is DER (ITU-T X.690): tag, length, content. Tags and object identifiers are from RFC 5280.

function tlv(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const size = content.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

const sequence = (...contents: readonly Buffer[]) => tlv(0x30, ...contents);
const text = (content: string) => Buffer.from(content, 'utf8');
const identifier = (hex: string) => tlv(0x06, Buffer.from(hex, 'hex'));
const TRUE = tlv(0x01, Buffer.from([255]));
const ECDSA_WITH_SHA256 = sequence(identifier('2a8648ce3d040302'));
const nameOf = (commonName: string) => sequence(tlv(0x31, sequence(identifier('550403'), tlv(0x0c, text(commonName)))));
const time = (date: Date) => tlv(0x18, text(date.toISOString().replace(/[-:T]|\.\d+/g, '')));
const extension = (id: string, value: Buffer) => sequence(identifier(id), tlv(0x04, value));
const hostsOf = (hosts: readonly string[]) => extension('551d11', sequence(...hosts.map((host) => tlv(0x82, text(host)))));
const pem = (der: Buffer) =>
  ['-----BEGIN CERTIFICATE-----', ...(der.toString('base64').match(/.{1,64}/g) ?? []), '-----END CERTIFICATE-----', ''].join('\n');
