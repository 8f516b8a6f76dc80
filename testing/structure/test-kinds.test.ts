import { expect, test } from 'vitest';
import { quickTests, testKinds } from './test-kinds';

const kinds = testKinds();

test.each([
  ['lib/platform/core/money.test.ts', 'plain'],
  ['components/pay/pay-page.test.tsx', 'plain'],
  ['lib/platform/db/migrate.test.ts', 'database'],
  ['lib/backoffice/bill-list/list-bills.test.ts', 'database'],
  ['lib/cli/commands/bill.test.ts', 'product'],
  ['lib/cli/terminal/caller-path.test.ts', 'product'],
  ['lib/entry/http/contract.test.ts', 'product'],
  ['testing/crash/web.test.ts', 'product'],
  ['testing/surface/actions.test.ts', 'product'],
])('%s is a %s test', (path, kind) => {
  expect(kinds.get(path)).toBe(kind);
});

test('the quick tests are the plain ones, and database tests of changed files', () => {
  const plain = [...kinds].flatMap(([path, kind]) => (kind === 'plain' ? [path] : []));
  expect(plain.length).toBeGreaterThan(80);
  expect(quickTests([])).toEqual(plain);
  const added = (changed: string) => quickTests([changed]).filter((path) => !plain.includes(path));
  expect(added('lib/backoffice/bill-list/list-bills.ts')).toContain('lib/backoffice/bill-list/list-bills.test.ts');
  expect(added('lib/platform/db/migrate.test.ts')).toEqual(['lib/platform/db/migrate.test.ts']);
  expect(added('lib/cli/commands/bill.test.ts')).toEqual([]);
});
