import type { SandboxStatus } from './wire';

/** A change of the state of a simulated prompt, some time after its request. */
export interface Step {
  readonly afterMs: number;
  readonly status: SandboxStatus;
  /** Whether the provider sends a callback. If not, only a status query finds the new state. */
  readonly announced: boolean;
}

export interface SandboxBehaviour {
  /**
   * The answer to the request. `lost`: accepted, but the connection is closed. `after_callback`: the callback comes before the
   * answer. `unavailable`: certainly not accepted.
   */
  readonly answer: 'accepted' | 'not_registered' | 'lost' | 'after_callback' | 'unavailable';
  readonly steps: readonly Step[];
  /** Whether only half of the amount is paid, rounded up. */
  readonly half?: boolean;
}

/** How long a customer can answer a simulated prompt, milliseconds. */
export const PROMPT_MS = 60_000;

const paid = (afterMs: number, announced = true): Step => ({ afterMs, status: 'PAID', announced });
const ends = (afterMs: number, status: SandboxStatus): Step => ({ afterMs, status, announced: true });

/** The behaviours by the last three digits of the mobile number (docs/site/en/sandbox.md). */
export const BEHAVIOURS: Readonly<Record<string, SandboxBehaviour>> = {
  '001': { answer: 'accepted', steps: [paid(1_000)] },
  '002': { answer: 'accepted', steps: [ends(2_000, 'DECLINED')] },
  '003': { answer: 'accepted', steps: [ends(2_000, 'WRONG_PIN')] },
  '004': { answer: 'accepted', steps: [ends(2_000, 'INSUFFICIENT_BALANCE')] },
  '005': { answer: 'accepted', steps: [ends(PROMPT_MS, 'EXPIRED')] },
  '006': { answer: 'not_registered', steps: [] },
  '007': { answer: 'accepted', steps: [paid(1_000, false)] },
  '008': { answer: 'accepted', steps: [paid(1_000), paid(1_500)] },
  '009': { answer: 'accepted', steps: [paid(1_000)], half: true },
  '010': { answer: 'lost', steps: [paid(2_000)] },
  '011': { answer: 'accepted', steps: [ends(PROMPT_MS, 'EXPIRED'), paid(90_000)] },
  '012': { answer: 'after_callback', steps: [paid(0)] },
  '013': { answer: 'unavailable', steps: [] },
};

const ANY_OTHER: SandboxBehaviour = { answer: 'accepted', steps: [paid(5_000)] };

/** The behaviour of a number whose virtual phone is open. If nobody answers there, the prompt expires. */
export const BY_PHONE: SandboxBehaviour = { answer: 'accepted', steps: [ends(PROMPT_MS, 'EXPIRED')] };

export function behaviourOf(mobile: string): SandboxBehaviour {
  return BEHAVIOURS[mobile.slice(-3)] ?? ANY_OTHER;
}
