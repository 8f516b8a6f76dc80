import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT_ROOT } from '@/lib/platform/config/project-root';
import { listPages, routeOf } from './route-files';

const FILES = [
  'direct.tsx',
  '(auth)/sign-in/direct.tsx',
  'm/[merchant]/bills/[id]/page.tsx',
  'm/[merchant]/bills/new/page.tsx',
  'docs/[[...path]]/direct.ts',
];

test.each([
  ['/', 'direct.tsx'],
  ['/sign-in', '(auth)/sign-in/direct.tsx'],
  ['/m/duka/bills/new', 'm/[merchant]/bills/new/page.tsx'],
  ['/m/duka/bills/1', 'm/[merchant]/bills/[id]/page.tsx'],
  ['/m/duka/bills/1/version', undefined],
  ['/documents', undefined],
  ['/docs', 'docs/[[...path]]/direct.ts'],
  ['/docs/sw/errors', 'docs/[[...path]]/direct.ts'],
])('%s is answered by %s', (path, file) => {
  expect(routeOf(path, FILES)).toBe(file);
});

test('pages are listed without the routes for programs', () => {
  expect(listPages()).toEqual(expect.arrayContaining(['direct.tsx', 'pay/direct.tsx', '(auth)/sign-in/direct.tsx']));
  expect(listPages()).not.toContain('readyz/direct.ts');
});

test('every path in the table of the listener is the path of a route', () => {
  const table = readFileSync(join(PROJECT_ROOT, 'app/direct-routes.ts'), 'utf8');
  const paths = [...table.matchAll(/ '?(\/[\w./-]*)'?[,:]/g)].map(([, path = '']) => path.replace(/(?<=.)\/$/, ''));
  expect(paths).toEqual(expect.arrayContaining(['/', '/pay', '/healthz', '/api/v1', '/callbacks', '/p']));
  expect(paths.filter((path) => ['', '/a', '/a/b'].every((rest) => routeOf(path + rest) === undefined))).toEqual([]);
});
