export type Environment = 'live' | 'sandbox';

export const ENVIRONMENTS: readonly Environment[] = ['live', 'sandbox'];

/** The merchant and environment whose data a query may read. Every query of a merchant's data takes one. */
export interface Scope {
  readonly merchantId: string;
  readonly environment: Environment;
}
