import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** The chain of the entries that belong to no merchant. */
export const OPERATOR_CHAIN = 'operator';

/** An audit entry as it is stored. Every column is a text, so that the hash covers exactly what is stored. */
export interface ChainedRow {
  readonly id: string;
  readonly merchantId: string | null;
  readonly environment: string | null;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly address: string | null;
  /** The text form of PostgreSQL's jsonb: keys in the order of jsonb, numbers with all of their digits. */
  readonly data: string;
  readonly at: Date;
}

/** The head of a chain: the number and hash of its newest sealed row. */
export interface Head {
  /** A merchant's id, or `operator`. */
  readonly chain: string;
  /** The number of the newest sealed row, counted from 1. */
  readonly number: bigint;
  readonly hash: Buffer;
  readonly sealedAt: Date;
  /** HMAC-SHA-256 of the other fields, with a key that is not in the database. */
  readonly mac: Buffer;
}

/** Pure. Returns the hash before a chain's first row. It differs between chains, so that one chain cannot replace another. */
export function initialHash(chain: string): Buffer {
  return sha256(`bili audit chain 1\n${chain}`);
}

/**
 * Pure. Returns the canonical form of a row and its number: a JSON array of texts and nulls in the order of the parameters, with the
 * instant in ISO 8601 to the millisecond, in UTC. A test makes sure that this form never changes, because a change would
 * break every existing chain.
 */
export function serialise(number: bigint, { id, merchantId, environment, actor, action, subject, address, data, at }: ChainedRow): string {
  return JSON.stringify([number.toString(), id, merchantId, environment, actor, action, subject, address, data, at.toISOString()]);
}

/** Pure. Returns the SHA-256 of the previous row's hash (32 bytes) and this row's canonical form in UTF-8. */
export function hashRow(before: Buffer, number: bigint, row: ChainedRow): Buffer {
  return sha256(Buffer.concat([before, Buffer.from(serialise(number, row))]));
}

/** Returns the HMAC of a head. `key` is used for nothing else. */
export function authenticate(key: Buffer, { chain, number, hash, sealedAt }: Omit<Head, 'mac'>): Buffer {
  const text = JSON.stringify(['bili audit head 1', chain, number.toString(), hash.toString('hex'), sealedAt.toISOString()]);
  return createHmac('sha256', key).update(text).digest();
}

/** Returns whether this deployment created a head. */
export function isAuthentic(key: Buffer, head: Head): boolean {
  const expected = authenticate(key, head);
  return head.mac.length === expected.length && timingSafeEqual(head.mac, expected);
}

/** Pure. Returns a head as one word, to be stored elsewhere: `bili1:<chain>:<number>:<milliseconds>:<hash>:<mac>`. */
export function formatHead({ chain, number, hash, sealedAt, mac }: Head): string {
  return ['bili1', chain, number, sealedAt.getTime(), hash.toString('hex'), mac.toString('hex')].join(':');
}

const HEAD = /^bili1:([\da-f-]{36}|operator):(\d{1,18}):(\d{1,14}):([\da-f]{64}):([\da-f]{64})$/;

/** Pure. Parses a head. Returns null for any other text. Only `isAuthentic` tells whether this deployment created it. */
export function parseHead(text: string): Head | null {
  const [, chain, number, ms, hash, mac] = HEAD.exec(text.trim()) ?? [];
  if (chain === undefined || number === undefined || hash === undefined || mac === undefined) return null;
  return { chain, number: BigInt(number), sealedAt: new Date(Number(ms)), hash: Buffer.from(hash, 'hex'), mac: Buffer.from(mac, 'hex') };
}

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest();
}
