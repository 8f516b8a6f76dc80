import type { MerchantAccess } from '@/lib/identity/accounts/access/grant-access';
import { fail, ok, type Result } from '@/lib/platform/core/result';

export const VIEW_NAME_MAX = 40;
export const VIEWS_MAX = 20;
/** The maximum length of a query string in characters. Even a query with the longest value of every filter, percent-encoded, is shorter. */
export const VIEW_QUERY_MAX = 4_096;

/** The filters of a bill list, saved by a member under a name. A view is not bound to an environment: the member sees it in both. */
export interface SavedView {
  readonly id: string;
  readonly name: string;
  /** The query string of the list, without parts that are invalid or have no effect. */
  readonly query: string;
}

export interface ViewOwner {
  readonly merchantId: string;
  readonly userId: string;
}

export type ViewProblem = 'name_required' | 'name_too_long' | 'name_used' | 'too_many' | 'query_too_long' | 'not_found' | 'not_allowed';

/** Returns the name as it is stored, with single spaces. */
export function readViewName(text: string): Result<string, 'name_required' | 'name_too_long'> {
  const name = text.replace(/[\p{Z}\p{C}]+/gu, ' ').trim();
  if (name === '') return fail('name_required');
  return [...name].length > VIEW_NAME_MAX ? fail('name_too_long') : ok(name);
}

export function viewOwner({ scope, user }: MerchantAccess): ViewOwner {
  return { merchantId: scope.merchantId, userId: user.id };
}
