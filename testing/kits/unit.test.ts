// @module-tag full

import { execFile } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { isInstalled, LANGUAGES, TYPESCRIPT_COMPILER } from './languages';
import { makeProject } from './samples';

describe.each(LANGUAGES)('the SDK for $name', (language) => {
  test.skipIf(!isInstalled(language))(`passes its own tests (${language.probe[0].split('/').at(-1)})`, async () => {
    const { command, args, cwd, env = {} } = language.unitTests;
    const { PATH = '', HOME = '' } = process.env;
    const { stdout, stderr } = await promisify(execFile)(command, args, { cwd, env: { PATH, HOME, NODE_ENV: 'test', ...env } });
    expect(stdout + stderr).toMatch(/\b(pass|OK|passed)\b/);
  });
});

describe('the package for TypeScript', () => {
  let project: string;
  beforeAll(() => {
    project = makeProject();
  });
  afterAll(() => rmSync(project, { recursive: true, force: true }));

  const run = (...args: readonly string[]) => promisify(execFile)(process.execPath, args, { cwd: project });
  const IMPORT =
    "import { Bili, readMobile } from '@bili/sdk';\nexport const client: Bili | null = readMobile('') === null ? null : null;\n";

  test.each(['shop.cts', 'shop.mts'])('has types for %s', async (file) => {
    writeFileSync(join(project, file), IMPORT);
    await run(TYPESCRIPT_COMPILER, '--noEmit', '--strict', '--target', 'es2022', '--module', 'node16', '--types', '', file);
    writeFileSync(join(project, file), IMPORT.replaceAll('readMobile', 'readNothing'));
    const wrong = run(TYPESCRIPT_COMPILER, '--noEmit', '--module', 'node16', '--types', '', file);
    await expect(wrong).rejects.toMatchObject({ stdout: expect.stringContaining('readNothing') });
  });

  // Compilers and bundlers that do not know "exports" read these members.
  test('names its CommonJS module and its types in "main" and "types", too', async () => {
    const folder = join(project, 'node_modules', '@bili', 'sdk');
    const { main, types } = z
      .object({ main: z.string(), types: z.string() })
      .parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
    expect(readFileSync(join(folder, types), 'utf8')).toContain('readMobile');
    for (const name of [main, '@bili/sdk']) {
      const path = name === main ? join(folder, main) : name;
      const code = `process.stdout.write(Object.keys(require(${JSON.stringify(path)})).join())`;
      const { stdout } = await run('--no-experimental-require-module', '-e', code);
      expect(stdout.split(',')).toEqual(expect.arrayContaining(['Bili', 'Webhook', 'readMobile']));
    }
  });
});
