/** The keys of PostgreSQL's advisory locks. Each purpose needs its own key. With the same key, two purposes would block each other. */
export const ADVISORY_LOCKS = {
  /** One worker claims deliveries at a time. */
  claimDeliveries: 5_020_001,
  /** One worker claims attempts at a time, so that no account exceeds its limit of parallel calls. */
  claimAttempts: 5_020_002,
  /** One worker changes the partitions of the delivery log at a time. */
  partitions: 5_020_003,
  /** One worker seals the audit log at a time. */
  sealAudit: 5_020_004,
  /** Used with the id of an event feed. One transaction at a time numbers the events of that feed. */
  feed: 5_020_010,
  /** Used with an Idempotency-Key or a unique reference. One transaction at a time creates a bill with the same key or reference. */
  createBill: 5_020_011,
  /** Used with a mobile number. One transaction at a time decides about prompts to that number. */
  promptsToNumber: 5_050_001,
  /** Used with the id of an import. One process at a time creates the rows of that import. */
  importRows: 5_050_006,
  /** The same key as Prisma's, so that its command line and our migrations wait for each other. */
  migrate: 72_707_369,
} as const;
