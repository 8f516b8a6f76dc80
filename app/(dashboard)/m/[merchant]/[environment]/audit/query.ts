import type { AuditQuery } from '@/lib/audit/filter-rules';

/** @returns what is asked for, as the address says it: empty where it says nothing. */
export function auditQuery(read: (name: keyof AuditQuery) => string | null): AuditQuery {
  return { by: read('by') ?? '', action: read('action') ?? '', from: read('from') ?? '', to: read('to') ?? '' };
}
