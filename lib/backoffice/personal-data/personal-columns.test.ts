import { expect, test } from 'vitest';
import { settingsSchema } from '@/lib/platform/config/settings';
import { marks } from '@/lib/platform/db/generated/tables';
import { KINDS, PERSONAL_COLUMNS, TABLE_RULES } from './personal-columns';

test('every column of text, JSON or bytes is marked with a known kind of personal data, or with none', () => {
  expect(marks.length).toBeGreaterThan(200);
  const kinds: readonly string[] = [...Object.keys(KINDS), 'none'];
  expect(marks.filter(([, , kind]) => kind === null || !kinds.includes(kind))).toEqual([]);
});

test('every table with personal data says why and how long, and no other table does', () => {
  expect(Object.keys(TABLE_RULES).toSorted()).toEqual([...new Set<string>(PERSONAL_COLUMNS.map(({ table }) => table))].toSorted());
  const settings = Object.values(TABLE_RULES).filter(({ keep }) => /^[A-Z_]+$/.test(keep));
  expect(settings.map(({ keep }) => keep).filter((keep) => !Object.hasOwn(settingsSchema.shape, keep))).toEqual([]);
});
