import type { Environment } from '@/lib/platform/core/scope';

/** An account at a provider, as its adapter needs it. */
export interface ProviderAccount {
  readonly id: string;
  readonly environment: Environment;
  readonly provider: string;
  readonly networks: readonly string[];
  readonly credentials: string | null;
  /** The address of callbacks. It contains a secret token, so nobody else can guess it. */
  readonly callbackUrl: string;
}

/** The result of a call to a provider, before it is interpreted. */
export interface RawAnswer {
  /** The HTTP status; null if there was no answer. */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer>;
  /**
   * Null if an answer came that counts. `not_sent`: the request was not sent. `unknown`: the request may have arrived. In these two cases,
   * the other members may describe an answer that does not count: an unusable one, or one to an earlier call, such as the call for a token.
   */
  readonly lost: 'not_sent' | 'unknown' | null;
  readonly error: string | null;
}
