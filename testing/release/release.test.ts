import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { makeRelease } from '@/lib/cli/build/release.mjs';
import { freePorts } from '@/testing/free-ports';
import { type Env, runProgram, startProgram } from '@/testing/process';
import { makeMerchant, TEST_SECRET_KEY, testRuntime } from '@/testing/runtime';

const PACKING_MS = 600_000;

const runtime = testRuntime();
let folder: string;
let program: string;
let env: Env;
let live: number;
let sandbox: number;
beforeAll(async () => {
  const archive = await makeRelease();
  // The folder is outside the repository, because Node would otherwise find the packages of the repository.
  folder = await mkdtemp(join(tmpdir(), 'bili-release-'));
  await cp(archive, join(folder, 'release.tar.gz'));
  execFileSync('tar', ['-xzf', 'release.tar.gz', '--strip-components=1'], { cwd: folder });
  program = join(folder, 'bili.mjs');
  [live = 0, sandbox = 0] = await freePorts(2);
  env = {
    DATABASE_URL: runtime().settings.DATABASE_URL,
    SECRET_KEY: TEST_SECRET_KEY,
    PORT: String(live),
    SANDBOX_PORT: String(sandbox),
    SANDBOX_DELAY_FACTOR: '0.1',
  };
}, PACKING_MS);
afterAll(() => rm(folder, { recursive: true, force: true }));

const bili = (...args: readonly string[]) => runProgram(args, env, '', program);

/** Follows redirects with the cookies that they set. Returns the last page. */
async function readPage(path: string): Promise<string> {
  const cookies = new Map<string, string>();
  let url = new URL(path, `http://localhost:${live}`);
  for (;;) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) {
      expect([response.status, response.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')]);
      return response.text();
    }
    expect(cookies.size).toBeLessThan(20);
    url = new URL(location, url);
  }
}

test('the release contains the program, pages and migrations, but no sources, tests or tools', async () => {
  const names = await readdir(folder);
  expect(names).toEqual(
    expect.arrayContaining(['.next', 'LICENSE', 'bili.mjs', 'node_modules', 'package.json', 'prisma', 'program', 'public']),
  );
  for (const source of ['app', 'e2e', 'components']) expect(names).not.toContain(source);
  // Fonts, and the program that decodes pictures in a process of its own.
  const read = (await readdir(join(folder, 'lib'), { recursive: true })).filter((name) => /\.\w+$/.test(name));
  const beside = read.filter((name) => !/^platform\/pictures\/fonts\/[\w-]+\.(?:ttf|txt|md)$/.test(name));
  expect(beside).toEqual(['identity/merchants/decode-picture.mjs']);
  const packages = await readdir(join(folder, 'node_modules'));
  for (const tool of ['typescript', 'vitest', 'esbuild', 'prisma', 'tailwindcss', 'playwright-core']) expect(packages).not.toContain(tool);
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  expect(files.filter(({ name }) => /\.(test|spec)\.tsx?$/.test(name))).toEqual([]);
  expect(Number(execFileSync('du', ['-sk', folder], { encoding: 'utf8' }).split('\t')[0]) / 1024).toBeLessThan(250);
});

test('commands work: migrate on a migrated database', async () => {
  expect(await bili('migrate')).toMatchObject({ code: 0, stderr: '' });
  expect(await bili('--version-of-nothing')).toMatchObject({ code: 2 });
});

test('web and worker start without installing or building, and a sandbox bill gets paid', async () => {
  const before = await readdir(folder);
  const web = startProgram(['web'], env, program);
  const worker = startProgram(['worker'], env, program);
  try {
    await web.printed('web is listening');
    const key = await (await makeMerchant(runtime())).key('sandbox');
    const headers = { authorization: `ApiKey ${key.id}:${key.secret}`, 'content-type': 'application/json' };
    const bills = `http://127.0.0.1:${sandbox}/api/v3/bills`;
    const body = JSON.stringify({ amount: 5000, reference: 'ORDER-1', mobile: '0712345001' });
    const created = await fetch(`${bills}/create`, { method: 'POST', headers, body });
    expect(created.status).toBe(200);
    const { id } = await created.json();
    await vi.waitFor(
      async () => expect(await (await fetch(`${bills}/${id}`, { headers })).json()).toMatchObject({ status: 'FULLY_PAID' }),
      { timeout: 60_000, interval: 200 },
    );

    expect(await readPage('/sign-in')).toContain('name="csrfToken"');
    // Next.js serves a page and its style sheet. Without a session, only its page for missing addresses has one.
    const html = await (await fetch(`http://127.0.0.1:${live}/m`)).text();
    const [style = ''] = /\/_next\/static\/[^"]+\.css/.exec(html) ?? [];
    expect((await fetch(`http://127.0.0.1:${live}${style}`)).headers.get('content-type')).toContain('text/css');
    expect(await (await fetch(`http://127.0.0.1:${live}/docs/quickstart`)).text()).toContain(`=http://localhost:${sandbox}\n`);

    expect((await bili('doctor')).stdout).toContain('ok     A worker runs.');
  } finally {
    await Promise.all([web.kill('SIGTERM'), worker.kill('SIGTERM')]);
  }
  expect([await web.exited, await worker.exited]).toEqual([0, 0]);
  expect((await readdir(folder)).sort()).toEqual(before.sort());
});
