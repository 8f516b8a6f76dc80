import type { ProviderAccount } from './port';

/** What a provider's calls carry, and until when. */
export interface Token {
  readonly token: string;
  readonly endsAt: Date;
}

/** The one session that an account has, as every worker sees it. */
export interface SharedSession extends Token {
  readonly openedAt: Date;
  /** Until then the provider may refuse it. */
  readonly usableAt: Date;
  /** What it replaces, which serves until it is usable. */
  readonly previous: Token | null;
}

/** Whose session: credentials that have changed have none yet. */
export type SessionOwner = Pick<ProviderAccount, 'id' | 'credentials'>;

interface ClaimOptions {
  /** The session that is to be replaced, by the instant at which it was opened; null where there is none. */
  readonly replaces: Date | null;
  readonly now: Date;
  readonly leaseUntil: Date;
}

/** Where workers keep the sessions that they share. */
export interface SessionStore {
  find(owner: SessionOwner): Promise<SharedSession | null>;
  /** Takes on to open a session. @returns the lease's token; null when somebody else is about it, or has done it. */
  claim(owner: SessionOwner, options: ClaimOptions): Promise<number | null>;
  /** Ends a lease with what was opened under it, which is thrown away if the lease has passed on. */
  save(owner: SessionOwner, leaseToken: number, session: SharedSession): Promise<void>;
  /** Ends a lease with nothing. */
  release(owner: SessionOwner, leaseToken: number): Promise<void>;
  /** Writes what is left of a session that was refused; null for nothing. One that has replaced it since stays. */
  reduce(owner: SessionOwner, openedAt: Date, left: SharedSession | null): Promise<void>;
}
