// @module-tag full

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT_ROOT } from '@/lib/platform/config/project-root';
import { testDatabase } from '@/testing/database';
import { freePorts } from '@/testing/free-ports';

// Prisma's command line needs several seconds to start.
const databaseUrl = testDatabase();

/** Starts Prisma's command line as npx does, without network access. */
function startPrisma(args: readonly string[], env: Readonly<Record<string, string>>) {
  const { PATH = '', HOME = '' } = process.env;
  const program = join(PROJECT_ROOT, 'node_modules', 'prisma', 'build', 'index.js');
  const offline = { PRISMA_ENGINES_MIRROR: 'http://127.0.0.1:9' };
  const child = spawn(process.execPath, [program, ...args], {
    cwd: PROJECT_ROOT,
    env: { PATH, HOME, NODE_ENV: 'test', DATA_DIR: '/nonexistent', ...offline, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  return { child, output: () => output };
}

async function prisma(args: readonly string[], env: Readonly<Record<string, string>>): Promise<{ code: unknown; output: string }> {
  const { child, output } = startPrisma(args, env);
  const [code] = await once(child, 'close');
  return { code, output: output() };
}

test('migrate status and migrate diff report no differences', async () => {
  const env = { DATABASE_URL: databaseUrl() };
  const status = await prisma(['migrate', 'status'], env);
  expect(status).toEqual({ code: 0, output: expect.stringContaining('Database schema is up to date!') });
  const compare = ['migrate', 'diff', '--from-config-datasource', '--to-schema', 'prisma/schema.prisma', '--exit-code'];
  expect(await prisma(compare, env)).toEqual({ code: 0, output: expect.stringContaining('No difference detected.') });
});

test('an unreachable or missing database is explained', async () => {
  const unreachable = await prisma(['migrate', 'status'], { DATABASE_URL: 'postgresql://a:b@127.0.0.1:9/x' });
  expect(unreachable).toEqual({ code: 1, output: expect.stringContaining("P1001: Can't reach database server at `127.0.0.1:9`") });
  const none = await prisma(['migrate', 'status'], {});
  expect(none).toEqual({ code: 1, output: expect.stringContaining('The datasource.url property is required') });
});

test('migrate diff compares files without a database', async () => {
  const { code, output } = await prisma(['migrate', 'diff', '--from-empty', '--to-schema', 'prisma/schema.prisma', '--script'], {});
  expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('CREATE TABLE "merchant"') });
});

test('Prisma Studio opens the database', async () => {
  const [port = 0] = await freePorts(1);
  const { child, output } = startPrisma(['studio', '--browser', 'none', '--port', String(port)], { DATABASE_URL: databaseUrl() });
  try {
    while (!output().includes(`http://localhost:${port}`)) await once(child.stdout, 'data');
    expect((await fetch(`http://localhost:${port}`)).status).toBe(200);
  } finally {
    child.kill();
    await once(child, 'close');
  }
});
