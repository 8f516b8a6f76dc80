export type Environment = 'live' | 'sandbox';

export const ENVIRONMENTS: readonly Environment[] = ['live', 'sandbox'];

/** Whose data a query may see. Every query of a merchant's data takes one. */
export interface Scope {
  readonly merchantId: string;
  readonly environment: Environment;
}
