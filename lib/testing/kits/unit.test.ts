import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { isInstalled, LANGUAGES } from './languages';

describe.each(LANGUAGES)('the SDK for $name', (language) => {
  test.skipIf(!isInstalled(language))(`passes its own tests (${language.probe[0].split('/').at(-1)})`, async () => {
    const { command, args, cwd, env = {} } = language.unitTests;
    const { PATH = '', HOME = '' } = process.env;
    const { stdout, stderr } = await promisify(execFile)(command, args, { cwd, env: { PATH, HOME, NODE_ENV: 'test', ...env } });
    expect(stdout + stderr).toMatch(/\b(pass|OK|passed)\b/);
  });
});
