import { SECOND_MS } from '@/lib/core/clock';
import { bodyCandidates } from './body-candidates';
import type { ReadHeaders } from './header-findings';
import { secretKey } from './pasted-secret';
import type { KnownSecret } from './secret-findings';
import { signatureOf } from './signed-content';

/** Tries of one delivery that a time is looked for among; the last ones. */
export const MAX_TRIES = 30;

/** What Bili itself knows about the webhook in question. */
export interface Known {
  readonly secrets: readonly KnownSecret[];
  /** What was sent under this webhook-id, and when; null when nothing was. */
  readonly delivery: { readonly body: Uint8Array; readonly tries: readonly Date[] } | null;
}

/** What a signature of the header was made over. */
export interface Fit {
  readonly key: Buffer;
  readonly timestamp: string;
  readonly body: Uint8Array;
  /** The place of the signature in the header, from 0. */
  readonly place: number;
}

interface Pasted {
  readonly body: Uint8Array;
  readonly headers: ReadHeaders;
  /** What the pasted secret signs with; null when it cannot. */
  readonly key: Buffer | null;
  readonly known: Known | undefined;
}

/** Tries keys, times and bodies until one of the header's signatures comes out: what it was made over is then certain. */
export function findFit({ body, headers: { id, timestamp, signatures }, key: pasted, known }: Pasted): Fit | null {
  if (id === undefined || signatures.length === 0) return null;
  const keys = [...(pasted ? [pasted] : []), ...knownKeys(known)];
  const sent = known?.delivery ? [known.delivery.body] : [];
  const tries = (known?.delivery?.tries ?? []).slice(-MAX_TRIES).map((at) => String(Math.floor(at.getTime() / SECOND_MS)));
  const attempts = [
    { times: timestamp === null ? [] : [timestamp], bodies: [body, ...sent, ...bodyCandidates(body)] },
    { times: tries, bodies: [body, ...sent] },
  ];
  for (const { times, bodies } of attempts) {
    for (const [time, candidate, key] of times.flatMap((at) => bodies.flatMap((one) => keys.map((key) => [at, one, key] as const)))) {
      const place = signatures.indexOf(signatureOf({ key, id, timestamp: time, body: candidate }));
      if (place >= 0) return { key, timestamp: time, body: candidate, place };
    }
  }
  return null;
}

/** @returns what the known secrets sign with. */
export function knownKeys(known: Known | undefined): Buffer[] {
  return (known?.secrets ?? []).map(({ secret }) => secretKey(secret)).filter((key) => key !== null);
}
