import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '@/lib/platform/config/project-root';
import { CONFORMANCE } from './case';
import type { DriverCommand } from './driver';

const kit = (...path: readonly string[]) => join(PROJECT_ROOT, 'kits', ...path);
const driver = (name: string) => join(CONFORMANCE, 'drivers', name);

const PYTHON = { PYTHONPATH: kit('python', 'src'), PYTHONDONTWRITEBYTECODE: '1' };

/** A language with an SDK in `kits`. */
export interface Language {
  readonly name: string;
  /** A command that fails if the language, or an extension that the SDK needs, is not installed. */
  readonly probe: readonly [string, ...string[]];
  /** Prepares the SDK and returns the command of its driver. @param built a folder for compiled files. */
  driver(built: string): DriverCommand;
  /** The SDK's own tests, which need no server. */
  readonly unitTests: DriverCommand & { readonly cwd: string };
}

export const PHP: Language = {
  name: 'PHP',
  probe: ['php', '-r', 'exit(extension_loaded("curl") ? 0 : 1);'],
  driver: () => ({ command: 'php', args: [driver('php.php')] }),
  unitTests: { command: 'php', args: ['tests/run.php'], cwd: kit('php') },
};

export const LANGUAGES: readonly Language[] = [
  {
    name: 'TypeScript',
    probe: [process.execPath, '--version'],
    driver(built) {
      compileTypeScript(built);
      return { command: process.execPath, args: [driver('typescript.mjs'), join(built, 'index.js')] };
    },
    unitTests: { command: process.execPath, args: ['--test', 'test/*.test.ts'], cwd: kit('typescript') },
  },
  {
    name: 'Python',
    probe: ['python3', '--version'],
    driver: () => ({ command: 'python3', args: ['-W', 'error', driver('python.py')], env: PYTHON }),
    unitTests: { command: 'python3', args: ['-W', 'error', '-m', 'unittest', 'discover', '-s', 'tests'], cwd: kit('python'), env: PYTHON },
  },
  PHP,
];

export const TYPESCRIPT_COMPILER = join(PROJECT_ROOT, 'node_modules', 'typescript', 'bin', 'tsc');

/** Compiles the TypeScript SDK into a folder, as ES modules and as CommonJS, like the script `build` of its package. */
export function compileTypeScript(folder: string): void {
  for (const [project, target] of [
    ['tsconfig.json', folder],
    ['tsconfig.cjs.json', join(folder, 'cjs')],
  ] as const)
    execFileSync(process.execPath, [TYPESCRIPT_COMPILER, '-p', kit('typescript', project), '--outDir', target], { stdio: 'inherit' });
  writeFileSync(join(folder, 'cjs', 'package.json'), JSON.stringify({ type: 'commonjs' }));
}

export function isInstalled({ probe: [command, ...args] }: Language): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}
