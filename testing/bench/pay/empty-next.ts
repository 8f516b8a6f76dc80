import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT_ROOT } from '@/lib/platform/config/project-root';
import { freePorts } from '@/testing/free-ports';
import type { Undo } from '../run-bench';

const NEXT = join(PROJECT_ROOT, 'node_modules', 'next', 'dist', 'bin', 'next');
const FOLDER = join(PROJECT_ROOT, '.build', 'empty-next');

// `turbopack.root` is the project's root, because Next.js loads the packages from there.
const FILES: Readonly<Record<string, string>> = {
  'package.json': '{"private":true,"type":"module"}',
  'next.config.mjs': `export default { turbopack: { root: ${JSON.stringify(PROJECT_ROOT)} }, poweredByHeader: false };`,
  'app/layout.jsx': 'export default function Layout({ children }) { return <html lang="en"><body>{children}</body></html>; }',
  'app/page.jsx': 'export default function Page() { return <h1>Pay this bill</h1>; }',
};

/** Builds and serves the smallest possible page, one heading, with the version of Next.js that Bili uses. Returns the URL of the page. */
export async function startEmptyNext(undo: Undo): Promise<string> {
  await rm(FOLDER, { recursive: true, force: true });
  undo.push(() => rm(FOLDER, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(FILES)) {
    await mkdir(join(FOLDER, name, '..'), { recursive: true });
    await writeFile(join(FOLDER, name), text);
  }
  const build = run(['build']);
  const [code] = await once(build.child, 'close');
  if (code !== 0) throw new Error(`Next.js could not build the empty page:\n${build.output()}`);

  const [port] = await freePorts(1);
  const server = run(['start', '--port', String(port), '--hostname', '127.0.0.1']);
  const ended = once(server.child, 'close');
  undo.push(async () => {
    server.child.kill('SIGTERM');
    await ended;
  });
  await Promise.race([server.printed('Ready in'), ended.then(() => Promise.reject(new Error(`next start ended:\n${server.output()}`)))]);
  return `http://127.0.0.1:${port}/`;
}

function run(args: readonly string[]) {
  const env = { ...process.env, NODE_ENV: 'production' as const, NEXT_TELEMETRY_DISABLED: '1' };
  const child = spawn(process.execPath, [NEXT, ...args], { cwd: FOLDER, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  const ready = Promise.withResolvers<void>();
  let wanted: string | undefined;
  const collect = (chunk: Buffer) => {
    text += chunk;
    if (wanted !== undefined && text.includes(wanted)) ready.resolve();
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  return {
    child,
    output: () => text,
    printed(line: string): Promise<void> {
      wanted = line;
      if (text.includes(line)) ready.resolve();
      return ready.promise;
    },
  };
}
