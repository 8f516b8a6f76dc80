import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT_ROOT } from '@/lib/config/project-root';
import { settingsSchema } from '@/lib/config/settings';
import { commandsTable, envExample, metricsTable, replaceBetween, settingsTable } from './docs-tables';
import { buildProgram } from './program';
import { providerPages } from './provider-pages';

const read = (...path: string[]) => readFileSync(join(PROJECT_ROOT, ...path), 'utf8');

// Run "npm run docs" if one of these fails.
test('the generated tables of docs/operating.md are up to date', () => {
  const document = read('docs', 'operating.md');
  expect(document).toBe(replaceBetween(document, 'settings', settingsTable()));
  expect(document).toBe(replaceBetween(document, 'commands', commandsTable(buildProgram())));
});

test('the generated table of docs/metrics.md is up to date', () => {
  const document = read('docs', 'metrics.md');
  expect(document).toBe(replaceBetween(document, 'metrics', metricsTable()));
});

test('the generated pages about providers are up to date, and there are no others', async () => {
  const pages = await providerPages();
  for (const [name, page] of pages) expect([name, read('docs', 'providers', name)]).toEqual([name, page]);
  expect(readdirSync(join(PROJECT_ROOT, 'docs', 'providers')).toSorted()).toEqual([...pages.keys()].toSorted());
});

test('.env.example is up to date, and the table has every setting', () => {
  expect(read('.env.example')).toBe(envExample());
  for (const name of Object.keys(settingsSchema.shape)) expect(settingsTable()).toContain(`| \`${name}\` |`);
});

test('defaults and options come from the schema and the command line', () => {
  expect(settingsTable()).toContain('| `PORT` | `3000` |');
  expect(settingsTable()).toContain('| `TRUSTED_PROXIES` | none |');
  expect(commandsTable(buildProgram())).toContain(
    '| `merchant activate --merchant <merchant> --environment live\\|sandbox [--reason <text>]` | activate a merchant',
  );
  expect(commandsTable(buildProgram())).not.toMatch(/`dev|`help|--json|--note/);
});

test('a document without its markers is refused', () => {
  expect(() => replaceBetween('text', 'settings', 'x')).toThrow('<!-- settings:begin -->');
  expect(replaceBetween('a<!-- x:begin -->old<!-- x:end -->b', 'x', 'new\n')).toBe('a<!-- x:begin -->\n\nnew\n\n<!-- x:end -->b');
});
