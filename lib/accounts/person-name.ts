import { fail, ok, type Result } from '@/lib/core/result';

export const NAME_MAX = 100;

/** Pure. @returns a person's name as it is kept: on one line. */
export function personName(text: string): Result<string, 'name_required' | 'name_too_long'> {
  const name = text
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  if (name === '') return fail('name_required');
  return name.length > NAME_MAX ? fail('name_too_long') : ok(name);
}
