import { type Access, may } from '@/lib/accounts/access/grant-access';
import type { StoredRequest } from './request-store';

const CREATE_PATH = '/api/v3/bills/create';

/**
 * Returns whether a member may send a request of the log again: in the sandbox only, only if the member may see the log, and only what the
 * member may also do by hand. Collectors may not see the log.
 */
export function mayReplay(access: Access, { method, path }: Pick<StoredRequest, 'method' | 'path'>): boolean {
  if (access.scope.environment !== 'sandbox' || !may(access, 'keys.view') || !may(access, 'bills.create')) return false;
  return method !== 'POST' || path === CREATE_PATH || may(access, 'bills.change');
}
