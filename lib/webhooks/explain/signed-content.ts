import { createHmac } from 'node:crypto';

/** The inputs of a signature of Standard Webhooks. */
interface SignedContent {
  readonly key: Uint8Array;
  readonly id: string;
  /** Unix seconds, as in the header. */
  readonly timestamp: string;
  readonly body: Uint8Array;
}

/** Returns the signature in base64, without the prefix `v1,`. */
export function signatureOf({ key, id, timestamp, body }: SignedContent): string {
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
}

/** Returns the signatures of version 1 in a webhook-signature header, in order. A proxy may have joined several headers with commas. */
export function v1Signatures(header: string): string[] {
  return [...header.matchAll(/(?<![\w+/])v1,([\w+/=-]+)/g)].map(([, signature = '']) => signature);
}
