import { expect, test } from 'vitest';
import { quickTests, testKinds } from './test-kinds';

const kinds = testKinds();

test.each([
  ['lib/core/money.test.ts', 'plain'],
  ['components/pay/pay-page.test.tsx', 'plain'],
  ['lib/db/migrate.test.ts', 'database'],
  ['lib/bills/list/list-bills.test.ts', 'database'],
  ['lib/cli/bill.test.ts', 'product'],
  ['lib/cli/terminal/caller-path.test.ts', 'product'],
  ['lib/http/contract.test.ts', 'product'],
  ['lib/testing/crash/web.test.ts', 'product'],
  ['lib/testing/surface/actions.test.ts', 'product'],
])('%s is a %s test', (path, kind) => {
  expect(kinds.get(path)).toBe(kind);
});

test('the quick tests are the plain ones, and database tests of changed files', () => {
  const plain = [...kinds].flatMap(([path, kind]) => (kind === 'plain' ? [path] : []));
  expect(plain.length).toBeGreaterThan(80);
  expect(quickTests([])).toEqual(plain);
  const added = (changed: string) => quickTests([changed]).filter((path) => !plain.includes(path));
  expect(added('lib/bills/list/list-bills.ts')).toContain('lib/bills/list/list-bills.test.ts');
  expect(added('lib/db/migrate.test.ts')).toEqual(['lib/db/migrate.test.ts']);
  expect(added('lib/cli/bill.test.ts')).toEqual([]);
});
