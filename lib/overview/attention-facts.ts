import type { ProfileStatus } from '@/lib/core/profile-status';
import type { KeyView } from '@/lib/keys/key-view';
import type { NetworkFigures } from './figures';

/** A larger number is shown as "more than 1,000". So the queries stop counting at 1,001. */
export const COUNTED = 1_000;
/** An attention item names at most this many bills. It only counts the others. */
export const NAMED = 5;

/** A bill that an attention item names. */
export interface NamedBill {
  readonly id: string;
  readonly reference: string;
}

/** Open cases of one kind: how many, the time of the oldest case, and the bills of the oldest cases. */
export interface Backlog {
  readonly count: number;
  readonly since: Date | null;
  readonly bills: readonly NamedBill[];
}

/** The state of the webhook endpoint, for the attention items about endpoints. */
export interface EndpointFacts {
  readonly url: string | null;
  readonly status: 'active' | 'paused' | 'disabled';
  /** `gone` or `failing`; null if the endpoint is not disabled. */
  readonly disabledReason: string | null;
  readonly statusSince: Date;
  readonly failingSince: Date | null;
  /** The number of waiting deliveries, at most COUNTED + 1; 0 while the endpoint is healthy. */
  readonly waiting: number;
}

/** How the attempts of a network ended since an instant. */
export interface NetworkRecent {
  readonly network: string;
  readonly ended: number;
  readonly unavailable: number;
  readonly since: Date;
}

/** The data that the attention rules check. */
export interface AttentionFacts {
  readonly status: ProfileStatus;
  readonly releasable: Backlog;
  readonly reviews: Backlog;
  readonly unmatched: Backlog & { readonly amount: bigint };
  readonly overpaid: Backlog & { readonly amount: bigint };
  readonly endpoint: EndpointFacts | undefined;
  readonly exhausted: Backlog;
  /** Keys that expire soon and have no successor, in the order of their expiry. */
  readonly keys: readonly Pick<KeyView, 'label' | 'expiresAt'>[];
  /** How each network's attempts ended: `recent` in the last minutes, `usual` in the last weeks. */
  readonly recent: readonly NetworkRecent[];
  readonly usual: readonly NetworkFigures[];
  /** The networks that at least one provider account serves now. `down`: every account that serves the network is suspended. */
  readonly served: readonly { readonly network: string; readonly down: boolean }[];
  /** Attempts that failed today because the number had received too many prompts. */
  readonly limitedToday: number;
}
