/** The numbers of PostgreSQL's advisory locks, one for each purpose: two purposes with one number would wait for each other. */
export const ADVISORY_LOCKS = {
  /** One worker claims deliveries at a time. */
  claimDeliveries: 5_020_001,
  /** One worker claims attempts at a time, so that no account gets more calls at once than its limit. */
  claimAttempts: 5_020_002,
  /** One worker changes the partitions of the delivery log at a time. */
  partitions: 5_020_003,
  /** One worker seals the audit log at a time. */
  sealAudit: 5_020_004,
  /** With a feed: its events are numbered one after the other. */
  feed: 5_020_010,
  /** With a number: one transaction at a time decides about prompts to it. */
  promptsToNumber: 5_050_001,
  /** With an import: its rows are created by one process at a time. */
  importRows: 5_050_006,
  /** Prisma's own, so that its command line and we wait for each other. */
  migrate: 72_707_369,
} as const;
