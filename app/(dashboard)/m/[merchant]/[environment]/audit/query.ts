import type { AuditQuery } from '@/lib/identity/audit/filter-rules';
import { readDay } from '@/lib/platform/i18n/typed-day';

/** Returns the filter in the query string. A parameter that is missing becomes an empty text. */
export function auditQuery(read: (name: keyof AuditQuery) => string | null): AuditQuery {
  const day = (name: 'from' | 'to') => readDay(read(name) ?? '') ?? '';
  return { by: read('by') ?? '', action: read('action') ?? '', from: day('from'), to: day('to') };
}
