import { createHmac } from 'node:crypto';

/** What a signature of Standard Webhooks is made of. */
interface SignedContent {
  readonly key: Uint8Array;
  readonly id: string;
  /** As the header has it: Unix seconds. */
  readonly timestamp: string;
  readonly body: Uint8Array;
}

/** @returns the signature in base64, as it stands after `v1,`. */
export function signatureOf({ key, id, timestamp, body }: SignedContent): string {
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
}

/** @returns what a webhook-signature header has of version 1, in its order; also when a proxy joined several headers by commas. */
export function versionOne(header: string): string[] {
  return [...header.matchAll(/(?<![\w+/])v1,([\w+/=-]+)/g)].map(([, signature = '']) => signature);
}
