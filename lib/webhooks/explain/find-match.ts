import { SECOND_MS } from '@/lib/core/clock';
import { bodyCandidates } from './body-candidates';
import type { ReadHeaders } from './header-findings';
import { secretKey } from './pasted-secret';
import type { KnownSecret } from './secret-findings';
import { signatureOf } from './signed-content';

/** How many of a delivery's last attempts are searched for the timestamp of a signature. */
export const MAX_ATTEMPTS = 30;

/** What Bili knows about the webhook. */
export interface Known {
  readonly secrets: readonly KnownSecret[];
  /** The delivery with this webhook-id; null if there is none. */
  readonly delivery: { readonly body: Uint8Array; readonly attemptTimes: readonly Date[] } | null;
}

/** The inputs that give one of the signatures in the header. */
export interface SignatureMatch {
  readonly key: Buffer;
  readonly timestamp: string;
  readonly body: Uint8Array;
  /** The position of the signature in the header, from 0. */
  readonly position: number;
}

interface Pasted {
  readonly body: Uint8Array;
  readonly headers: ReadHeaders;
  /** The key bytes of the pasted secret; null if it is not a valid secret. */
  readonly key: Buffer | null;
  readonly known: Known | undefined;
}

/** Tries keys, timestamps and bodies until they give one of the header's signatures. The match then proves what was signed. */
export function findMatch({ body, headers: { id, timestamp, signatures }, key: pasted, known }: Pasted): SignatureMatch | null {
  if (id === undefined || signatures.length === 0) return null;
  const keys = [...(pasted ? [pasted] : []), ...knownKeys(known)];
  const sent = known?.delivery ? [known.delivery.body] : [];
  const recorded = (known?.delivery?.attemptTimes ?? []).slice(-MAX_ATTEMPTS);
  const recordedTimes = recorded.map((at) => String(Math.floor(at.getTime() / SECOND_MS)));
  // Of several equal signatures, the map keeps the first.
  const positions = new Map(signatures.map((signature, position) => [signature, position] as const).reverse());
  const searches = [
    { times: timestamp === null ? [] : [timestamp], bodies: [body, ...sent, ...bodyCandidates(body)] },
    { times: recordedTimes, bodies: [body, ...sent] },
  ];
  for (const { times, bodies } of searches) {
    for (const [time, candidate, key] of times.flatMap((at) => bodies.flatMap((one) => keys.map((key) => [at, one, key] as const)))) {
      const position = positions.get(signatureOf({ key, id, timestamp: time, body: candidate }));
      if (position !== undefined) return { key, timestamp: time, body: candidate, position };
    }
  }
  return null;
}

export function knownKeys(known: Known | undefined): Buffer[] {
  return (known?.secrets ?? []).map(({ secret }) => secretKey(secret)).filter((key) => key !== null);
}
