import type { SandboxStatus } from './wire';

/** Something the simulated phone or provider does, some time after the prompt. */
export interface Step {
  readonly afterMs: number;
  readonly status: SandboxStatus;
  /** Whether the provider calls back about it; if not, only a status query finds it. */
  readonly announced: boolean;
}

export interface SandboxBehaviour {
  /** What answers the push: taken, refused, taken but the answer is lost, taken but told first, or certainly not taken. */
  readonly answer: 'accepted' | 'not_registered' | 'lost' | 'after_callback' | 'unavailable';
  readonly steps: readonly Step[];
  /** Half of the amount is paid, rounded up. */
  readonly half?: boolean;
}

/** How long a simulated prompt can be answered, milliseconds. */
export const PROMPT_MS = 60_000;

const paid = (afterMs: number, announced = true): Step => ({ afterMs, status: 'PAID', announced });
const ends = (afterMs: number, status: SandboxStatus): Step => ({ afterMs, status, announced: true });

/** By the last three digits of the mobile number (docs/api.md). */
const BEHAVIOURS: Readonly<Record<string, SandboxBehaviour>> = {
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

export function behaviourOf(mobile: string): SandboxBehaviour {
  return BEHAVIOURS[mobile.slice(-3)] ?? ANY_OTHER;
}
