import type { ProfileStatus } from '@/lib/core/profile-status';
import type { KeyView } from '@/lib/keys/key-view';
import type { NetworkFigures } from './figures';

/** Counting stops here: beyond, nobody needs to know exactly. */
export const COUNTED = 1_000;
/** So many are named; of the others there is the number. */
export const NAMED = 5;

/** A bill that something is about. */
export interface NamedBill {
  readonly id: string;
  readonly reference: string;
}

/** Several of one kind: how many, since when, and the bills of the oldest. */
export interface Pile {
  readonly count: number;
  readonly since: Date | null;
  readonly bills: readonly NamedBill[];
}

/** How a merchant's server takes its webhooks, as far as somebody has to do something about it. */
export interface EndpointFacts {
  readonly url: string | null;
  readonly status: 'active' | 'paused' | 'disabled';
  /** `gone` or `failing`; null in every other status. */
  readonly disabledReason: string | null;
  readonly statusSince: Date;
  readonly failingSince: Date | null;
  /** Bills whose webhooks wait; not counted beyond the limit, and not while all is well. */
  readonly waiting: number;
}

/** How a network's prompts have ended since an instant. */
export interface NetworkRecent {
  readonly network: string;
  readonly ended: number;
  readonly unavailable: number;
  readonly since: Date;
}

/** Everything that is looked at to find what needs somebody. */
export interface AttentionFacts {
  readonly status: ProfileStatus;
  readonly releasable: Pile;
  readonly reviews: Pile;
  readonly unmatched: Pile & { readonly amount: bigint };
  readonly overpaid: Pile & { readonly amount: bigint };
  readonly endpoint: EndpointFacts | undefined;
  readonly exhausted: Pile;
  /** That end soon and have no successor, the first to end first. */
  readonly keys: readonly Pick<KeyView, 'label' | 'expiresAt'>[];
  /** How each network's prompts ended lately, and over the weeks before. */
  readonly recent: readonly NetworkRecent[];
  readonly usual: readonly NetworkFigures[];
  /** What an account serves at this moment. */
  readonly served: readonly string[];
  /** Prompts that were not sent today, because too many had gone to a number. */
  readonly limitedToday: number;
}
