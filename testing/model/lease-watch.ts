import { setTimeout as delay } from 'node:timers/promises';
import { LEASE_MS } from '@/lib/gateway/attempts/hold-lease';
import { SECOND_MS } from '@/lib/platform/core/clock';
import type { CallKind } from '../fakes/fake-adapter';

/** The maximum difference between the clocks of workers, milliseconds. */
const SKEW_MS = 10 * SECOND_MS;

/** The maximum wait until a worker has received the answer to its last statement, real milliseconds. */
const NOTICE_MS = 1_000;

/** A worker's claim of a row, from the claim until its work ends. */
export interface Claim {
  readonly id: string;
  readonly leaseToken: number;
  /** The state of the row after the claim. If the next claim finds another state, the row was changed meanwhile. */
  readonly state: string;
  until: number;
  sending: boolean;
  over: boolean;
}

interface Claimed {
  readonly id: string;
  readonly ourReference: string;
  readonly leaseToken: number;
  readonly state: string;
  readonly previousState: string;
}

export type LeaseWatch = ReturnType<typeof createLeaseWatch>;

/** Checks that no two workers work on one row at the same time. @param complaints receives a sentence for each violation. */
export function createLeaseWatch(complaints: string[]) {
  const claims = new Map<string, Claim[]>();

  return {
    async claimed({ id, ourReference, leaseToken, state, previousState }: Claimed, now: Date): Promise<Claim> {
      const earlier = claims.get(id) ?? [];
      const last = earlier.at(-1);
      const claim: Claim = { id, leaseToken, state, until: now.getTime() + LEASE_MS, sending: false, over: false };
      claims.set(id, [...earlier, claim]);
      if (last && last.state === previousState && last.until > now.getTime() + SKEW_MS) {
        // The earlier worker uses another connection. Its last statement may be committed before that worker has received the answer.
        for (let waited = 0; !last.over && waited < NOTICE_MS; waited += 10) await delay(10);
        if (!last.over) complaints.push(`${ourReference} was claimed while another worker had it`);
      }
      return claim;
    },

    /**
     * Ends the claim with this lease token. Call it when a worker applies a provider message that another worker stored before that worker
     * died: applying the message ends the dead worker's lease.
     */
    applied(id: string | null, leaseToken: number | null): void {
      for (const claim of claims.get(id ?? '') ?? []) if (claim.leaseToken === leaseToken) claim.over = true;
    },

    begins(claim: Claim, kind: CallKind, reference: string, now: Date): void {
      const others = (claims.get(claim.id) ?? []).filter((other) => other !== claim);
      if (claims.get(claim.id)?.at(-1) !== claim) complaints.push(`a ${kind} of ${reference} came from a worker that had lost its lease`);
      const twice = others.some(({ sending, over, until }) => sending && !over && until > now.getTime() + SKEW_MS);
      if (kind === 'send' && twice) complaints.push(`${reference} was sent while another worker was sending it`);
      claim.until = now.getTime() + LEASE_MS;
      claim.sending = kind === 'send';
    },
  };
}
