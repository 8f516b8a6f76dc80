/** Settings for tests and benchmarks that send more requests than the default limits allow. */
export const UNLIMITED = {
  RATE_LIMIT_LIVE_WRITES: '1000000',
  RATE_LIMIT_LIVE_READS: '1000000',
  RATE_LIMIT_SANDBOX_WRITES: '1000000',
  RATE_LIMIT_SANDBOX_READS: '1000000',
  RATE_LIMIT_FAILURES: '1000000',
  RATE_LIMIT_PAGES: '1000000',
};
