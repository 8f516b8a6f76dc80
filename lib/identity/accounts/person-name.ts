import { containsAddress } from '@/lib/platform/core/find-address';
import { fail, ok, type Result } from '@/lib/platform/core/result';

export const NAME_MAX = 100;

export type NameProblem = 'name_required' | 'name_too_long' | 'name_address';

/** Validates a person's name and returns it as it is stored: on one line. */
export function parsePersonName(text: string): Result<string, NameProblem> {
  const name = text
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  if (name === '') return fail('name_required');
  if (name.length > NAME_MAX) return fail('name_too_long');
  return containsAddress(name) ? fail('name_address') : ok(name);
}
