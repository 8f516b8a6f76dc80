import type { MerchantAccess } from '@/lib/accounts/access/grant-access';
import { fail, ok, type Result } from '@/lib/core/result';

export const VIEW_NAME_MAX = 40;
export const VIEWS_MAX = 20;
/** The maximum length of a query string in characters. A query with every filter at its longest, percent-encoded, is shorter. */
export const VIEW_QUERY_MAX = 4_096;

/** A list that a member has saved under a name. It is shared by both environments of the merchant. */
export interface SavedView {
  readonly id: string;
  readonly name: string;
  /** The query string in its shortest form. */
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
