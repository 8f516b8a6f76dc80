import { createHash } from 'node:crypto';

/**
 * Returns pawaPay's id of a request: a UUID of version 4 whose bits come from our reference. So after a crash, Bili can compute the id
 * again and query a request whose answer was lost.
 */
export function idOf(reference: string): string {
  const bytes = createHash('sha256').update(`pawapay:${reference}`).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
