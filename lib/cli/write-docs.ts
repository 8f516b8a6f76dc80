import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT_ROOT } from '@/lib/config/project-root';
import { commandsTable, envExample, metricsTable, replaceBetween, settingsTable } from './docs-tables';
import { buildProgram } from './program';
import { providerPages } from './provider-pages';

// `npm run docs`: writes the generated tables of the documentation. A test fails if they are out of date.
const path = join(PROJECT_ROOT, 'docs', 'operating.md');
const withSettings = replaceBetween(await readFile(path, 'utf8'), 'settings', settingsTable());
await writeFile(path, replaceBetween(withSettings, 'commands', commandsTable(buildProgram())));
await writeFile(join(PROJECT_ROOT, '.env.example'), envExample());
const metricsPath = join(PROJECT_ROOT, 'docs', 'metrics.md');
await writeFile(metricsPath, replaceBetween(await readFile(metricsPath, 'utf8'), 'metrics', metricsTable()));
const providers = join(PROJECT_ROOT, 'docs', 'providers');
await mkdir(providers, { recursive: true });
for (const [name, page] of await providerPages()) await writeFile(join(providers, name), page);
