import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildProgram } from '@/lib/cli/program';
import { PROJECT_ROOT } from '@/lib/platform/config/project-root';
import { settingsSchema } from '@/lib/platform/config/settings';
import {
  commandsTable,
  cryptographyTable,
  envExample,
  metricsTable,
  personalDataTables,
  providersTable,
  replaceBetween,
  retriesText,
  settingsTable,
} from './docs-tables';
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

test('the generated tables of docs/personal-data.md are up to date', () => {
  const document = read('docs', 'personal-data.md');
  expect(document).toBe(replaceBetween(document, 'columns', personalDataTables()));
});

test('the generated retries of docs/webhooks.md are up to date', () => {
  const document = read('docs', 'webhooks.md');
  expect(document).toBe(replaceBetween(document, 'retries', retriesText('en')));
});

test('the generated tables of providers in the README and docs/security.md are up to date', () => {
  const [readme, security] = [read('README.md'), read('docs', 'security.md')];
  expect(readme).toBe(replaceBetween(readme, 'providers', providersTable()));
  expect(security).toBe(replaceBetween(security, 'providers', cryptographyTable()));
});

test('the generated pages about providers are up to date, and there are no others', async () => {
  const pages = await providerPages();
  for (const [name, page] of pages) expect([name, read('docs', 'providers', name)]).toEqual([name, page]);
  expect(readdirSync(join(PROJECT_ROOT, 'docs', 'providers')).toSorted()).toEqual([...pages.keys()].toSorted());
});

test('.env.example is up to date, and the table has every setting', () => {
  expect(read('.env.example')).toBe(envExample());
  expect(envExample()).not.toContain('](');
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

/** The sections of OWASP ASVS 5.0.0, each with the number of its requirements of levels 1 and 2. They are numbered from 1 without gaps. */
const ASVS_SECTIONS =
  '1.1:2 1.2:9 1.3:11 1.4:3 1.5:2 2.1:3 2.2:3 2.3:4 2.4:1 3.2:2 3.3:4 3.4:6 3.5:5 3.7:2 4.1:3 4.2:1 4.3:2 4.4:4 5.1:1 ' +
  '5.2:3 5.3:2 5.4:3 6.1:3 6.2:12 6.3:4 6.4:4 6.5:5 6.6:3 6.8:4 7.1:3 7.2:4 7.3:2 7.4:5 7.5:2 7.6:2 8.1:2 8.2:3 8.3:1 ' +
  '8.4:1 9.1:3 9.2:4 10.1:2 10.2:2 10.3:4 10.4:11 10.5:5 10.6:2 10.7:3 11.1:2 11.2:3 11.3:3 11.4:4 11.5:1 11.6:1 12.1:3 ' +
  '12.2:2 12.3:4 13.1:1 13.2:5 13.3:2 13.4:5 14.1:2 14.2:4 14.3:3 15.1:3 15.2:3 15.3:7 16.1:1 16.2:5 16.3:4 16.4:3 16.5:3 ' +
  '17.1:1 17.2:4 17.3:2';
const STATES = ['met', 'part', 'not met', 'n/a'];

/** Returns the rows of the ASVS table in docs/security.md. */
function asvsRows() {
  const rows = read('docs', 'security.md').matchAll(/^\| (?<id>\d+\.\d+\.\d+) \| [^|]+ \| (?<state>[^|]+) \| (?<evidence>[^|]+) \|$/gm);
  return [...rows].map(({ groups: { id = '', state = '', evidence = '' } = {} }) => ({ id, state, evidence }));
}

test('the ASVS table has each requirement of levels 1 and 2 once, and counts them right', () => {
  const ids = ASVS_SECTIONS.split(' ').flatMap((section) => {
    const [name, count] = section.split(':');
    return Array.from({ length: Number(count) }, (_, index) => `${name}.${index + 1}`);
  });
  expect(ids).toHaveLength(253);
  const rows = asvsRows();
  expect(rows.map(({ id }) => id)).toEqual(ids);
  const counts = (prefix: string) =>
    STATES.map((one) => rows.filter(({ id, state }) => id.startsWith(prefix) && state === one).length).join(' | ');
  const chapters = [...new Set(ids.map((id) => id.split('.', 1)[0]))];
  const document = read('docs', 'security.md');
  const summary = [...document.matchAll(/^\| \[V(\d+)\].* \| (\d+ \| \d+ \| \d+ \| \d+) \|$/gm)];
  expect(summary.map(([, chapter, counted]) => [chapter, counted])).toEqual(chapters.map((chapter) => [chapter, counts(`${chapter}.`)]));
  expect(document).toContain(`| total | ${counts('')} |`);
});

test('every requirement of the ASVS table that is met names existing tests', () => {
  const wrong = asvsRows().filter(({ state, evidence }) => {
    const tests = [...evidence.matchAll(/`([^`]+\.(?:test|spec)\.tsx?)`/g)].map(([, path = '']) => path);
    return (
      !STATES.includes(state) || (state === 'met' && tests.length === 0) || !tests.every((path) => existsSync(join(PROJECT_ROOT, path)))
    );
  });
  expect(wrong).toEqual([]);
});
