import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildProgram } from '@/lib/cli/program';
import { PROJECT_ROOT } from '@/lib/platform/config/project-root';
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

// `npm run docs`: writes the generated tables of the documentation. A test fails if they are out of date.
await renew('docs/operating.md', 'settings', settingsTable());
await renew('docs/operating.md', 'commands', commandsTable(buildProgram()));
await renew('docs/metrics.md', 'metrics', metricsTable());
await renew('docs/webhooks.md', 'retries', retriesText('en'));
await renew('docs/personal-data.md', 'columns', personalDataTables());
await renew('README.md', 'providers', providersTable());
await renew('docs/security.md', 'providers', cryptographyTable());
await writeFile(join(PROJECT_ROOT, '.env.example'), envExample());
const providers = join(PROJECT_ROOT, 'docs', 'providers');
await mkdir(providers, { recursive: true });
for (const [name, page] of await providerPages()) await writeFile(join(providers, name), page);

/** Replaces one generated part of a document. */
async function renew(document: string, part: string, content: string): Promise<void> {
  const path = join(PROJECT_ROOT, document);
  await writeFile(path, replaceBetween(await readFile(path, 'utf8'), part, content));
}
