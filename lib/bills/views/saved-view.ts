import type { MerchantAccess } from '@/lib/accounts/access/grant-access';
import { fail, ok, type Result } from '@/lib/core/result';

export const VIEW_NAME_MAX = 40;
export const VIEWS_MAX = 20;
/** The longest query string that is parsed, characters: every filter at its longest, percent-encoded, is shorter. */
export const VIEW_QUERY_MAX = 4_096;

/** A list that a person keeps under a name, for both environments of a merchant. */
export interface SavedView {
  readonly id: string;
  readonly name: string;
  /** The address's query string, in its shortest form. */
  readonly query: string;
}

/** Whose views: a person's, at one merchant. */
export interface ViewOwner {
  readonly merchantId: string;
  readonly userId: string;
}

export type ViewProblem = 'name_required' | 'name_too_long' | 'name_used' | 'too_many' | 'query_too_long' | 'not_found' | 'not_allowed';

/** Pure. @returns a view's name as it is kept, with single spaces. */
export function readViewName(text: string): Result<string, 'name_required' | 'name_too_long'> {
  const name = text.replace(/[\p{Z}\p{C}]+/gu, ' ').trim();
  if (name === '') return fail('name_required');
  return [...name].length > VIEW_NAME_MAX ? fail('name_too_long') : ok(name);
}

export function viewOwner({ scope, user }: MerchantAccess): ViewOwner {
  return { merchantId: scope.merchantId, userId: user.id };
}
