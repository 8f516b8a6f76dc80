import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** The chain of what belongs to no merchant. */
export const OPERATOR_CHAIN = 'operator';

/** An audit entry as the database has it, every column as text: what is hashed is exactly what is stored. */
export interface ChainedRow {
  readonly id: string;
  readonly merchantId: string | null;
  readonly environment: string | null;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly address: string | null;
  /** The text of PostgreSQL's jsonb: keys in its order, numbers with all of their digits. */
  readonly data: string;
  readonly at: Date;
}

/** How far a chain goes. */
export interface Head {
  /** A merchant's id, or `operator`. */
  readonly chain: string;
  /** Of the newest sealed row, counted from 1. */
  readonly number: bigint;
  readonly hash: Buffer;
  readonly sealedAt: Date;
  /** HMAC-SHA-256 of all this, with a key that is not in the database. */
  readonly mac: Buffer;
}

/** Pure. @returns what comes before a chain's first row: chains begin differently, so that none can stand for another. */
export function beginningOf(chain: string): Buffer {
  return sha256(`bili audit chain 1\n${chain}`);
}

/**
 * Pure. The canonical form of a row and its number: a JSON array of texts and nulls in this order, the instant in ISO 8601 to the
 * millisecond, in UTC. Pinned by a test: whoever changes it breaks every chain there is.
 */
export function serialise(number: bigint, { id, merchantId, environment, actor, action, subject, address, data, at }: ChainedRow): string {
  return JSON.stringify([number.toString(), id, merchantId, environment, actor, action, subject, address, data, at.toISOString()]);
}

/** Pure. @returns SHA-256 over the hash of the row before, 32 bytes, and this row in its canonical form, in UTF-8. */
export function hashRow(before: Buffer, number: bigint, row: ChainedRow): Buffer {
  return sha256(Buffer.concat([before, Buffer.from(serialise(number, row))]));
}

/** @param key of this purpose alone. */
export function authenticate(key: Buffer, { chain, number, hash, sealedAt }: Omit<Head, 'mac'>): Buffer {
  const text = JSON.stringify(['bili audit head 1', chain, number.toString(), hash.toString('hex'), sealedAt.toISOString()]);
  return createHmac('sha256', key).update(text).digest();
}

/** @returns whether this deployment has made a head. */
export function isAuthentic(key: Buffer, head: Head): boolean {
  const expected = authenticate(key, head);
  return head.mac.length === expected.length && timingSafeEqual(head.mac, expected);
}

/** Pure. @returns a head as one word, to be kept elsewhere: `bili1:<chain>:<number>:<milliseconds>:<hash>:<mac>`. */
export function formatHead({ chain, number, hash, sealedAt, mac }: Head): string {
  return ['bili1', chain, number, sealedAt.getTime(), hash.toString('hex'), mac.toString('hex')].join(':');
}

const HEAD = /^bili1:([\da-f-]{36}|operator):(\d{1,18}):(\d{1,14}):([\da-f]{64}):([\da-f]{64})$/;

/** Pure. @returns the head, or null when the text is none. Whether we made it, its code says. */
export function parseHead(text: string): Head | null {
  const [, chain, number, ms, hash, mac] = HEAD.exec(text.trim()) ?? [];
  if (chain === undefined || number === undefined || hash === undefined || mac === undefined) return null;
  return { chain, number: BigInt(number), sealedAt: new Date(Number(ms)), hash: Buffer.from(hash, 'hex'), mac: Buffer.from(mac, 'hex') };
}

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest();
}
