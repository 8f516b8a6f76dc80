// @module-tag full

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PROJECT_ROOT } from '@/lib/platform/config/project-root';
import { TEST_SECRET_KEY, testRuntime } from '@/testing/runtime';

const runtime = testRuntime();
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bili-caller-'));
  await writeFile(join(folder, 'mpesa.json'), '{"env":"no such"}');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs a command through the bootstrap. Returns its standard error. */
async function bili(cwd: string, env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<string> {
  const { PATH = '', HOME = '' } = process.env;
  const settings: NodeJS.ProcessEnv = {
    NODE_ENV: 'production',
    PATH,
    HOME,
    DATABASE_URL: runtime().settings.DATABASE_URL,
    SECRET_KEY: TEST_SECRET_KEY,
    ...env,
  };
  const child = spawn(process.execPath, [join(PROJECT_ROOT, 'lib', 'cli', 'bootstrap.mjs'), ...args], { cwd, env: settings });
  let stderr = '';
  child.stderr.on('data', (chunk) => (stderr += chunk));
  await once(child, 'close');
  return stderr;
}

test("file paths are relative to the caller's folder, also with npm, which changes the working directory", async () => {
  const add = ['provider', 'add', '--type', 'mpesa', '--environment', 'sandbox', '--config', 'mpesa.json'];
  expect(await bili(folder, {}, ...add)).toContain('env must be');
  // Simulates `npm run bili --prefix …`.
  const npm = { INIT_CWD: folder, npm_package_json: join(PROJECT_ROOT, 'package.json') };
  expect(await bili(PROJECT_ROOT, npm, ...add)).toContain('env must be');
  // The variables of npm in another project are ignored.
  expect(await bili(PROJECT_ROOT, { ...npm, npm_package_json: join(folder, 'package.json') }, ...add)).toContain(
    'The file mpesa.json cannot be read',
  );

  const write = ['simulate', 'statement', '--from', '2026-11-21', '--to', '2026-11-21', '--output', 'statement.csv'];
  expect(await bili(PROJECT_ROOT, npm, ...write)).not.toContain('cannot be written');
  expect(await readFile(join(folder, 'statement.csv'), 'utf8')).toContain('Receipt,');
});
