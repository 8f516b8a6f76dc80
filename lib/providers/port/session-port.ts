import type { ProviderAccount } from './port';

/** A session token that authorises calls to a provider, and when it ends. */
export interface Token {
  readonly token: string;
  readonly endsAt: Date;
}

/** The session of a provider account. All workers share it. */
export interface SharedSession extends Token {
  readonly openedAt: Date;
  /** Before this time the provider may refuse the token. */
  readonly usableAt: Date;
  /** The token of the session that this session replaces. Calls use the old token until the new token is usable. */
  readonly previous: Token | null;
}

/** What a session belongs to: an account with its credentials. After a change of its credentials, an account has no session at first. */
export type SessionOwner = Pick<ProviderAccount, 'id' | 'credentials'>;

interface ClaimOptions {
  /** The time at which the session to be replaced was opened; null if there is no session to replace. */
  readonly replaces: Date | null;
  readonly now: Date;
  readonly leaseUntil: Date;
}

export interface SessionStore {
  find(owner: SessionOwner): Promise<SharedSession | null>;
  /** Claims the right to open a session. @returns the lease token; null if another worker is opening a session or has opened one. */
  claim(owner: SessionOwner, options: ClaimOptions): Promise<number | null>;
  /** Stores the opened session and ends the lease. Stores nothing if another worker has claimed the lease in the meantime. */
  save(owner: SessionOwner, leaseToken: number, session: SharedSession): Promise<void>;
  /** Ends a lease under which no session was opened. */
  release(owner: SessionOwner, leaseToken: number): Promise<void>;
  /**
   * Removes a refused token from the session that was opened at `openedAt`. A newer session is not changed.
   * @param remaining the session without the refused token; null if no token is left.
   */
  invalidate(owner: SessionOwner, openedAt: Date, remaining: SharedSession | null): Promise<void>;
}
