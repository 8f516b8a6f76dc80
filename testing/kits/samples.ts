import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSite } from '@/lib/cli/site/build-site';
import { PROJECT_ROOT } from '@/lib/platform/config/project-root';
import { compileTypeScript } from './languages';

/** A block of code in the documentation for developers. */
export interface Sample {
  /** The label of the block's tab. For a block without a tab, the file name of its page. */
  readonly name: string;
  /** Whether the block is generated from the API description. It contains its address and placeholders for the key. */
  readonly isGenerated: boolean;
  readonly language: string;
  readonly code: string;
}

interface SampleLanguage {
  readonly file: (code: string) => string;
  /** The command that runs a sample. The path of the sample's file is added as its last argument. */
  readonly command: readonly [string, ...string[]];
  readonly probe: readonly [string, ...string[]];
}

const RUNNERS: Readonly<Record<string, SampleLanguage>> = {
  sh: { file: () => 'sample.sh', command: ['bash', '-eu'], probe: ['curl', '--version'] },
  php: { file: () => 'sample.php', command: ['php'], probe: ['php', '-r', 'exit(extension_loaded("curl") ? 0 : 1);'] },
  python: { file: () => 'sample.py', command: ['python3', '-W', 'error'], probe: ['python3', '--version'] },
  js: { file: () => 'sample.mjs', command: [process.execPath], probe: [process.execPath, '--version'] },
  java: { file: (code) => `${/^class (\w+)/m.exec(code)?.[1]}.java`, command: ['java'], probe: ['javac', '--version'] },
};

/** Matches shell code that only sets variables, or that calls Bili's own command line. */
const NOT_REQUESTS = /^\s*(?:export \w+=\S+\n?)+$|^npm run -s bili -- /;

/** The samples of these pages need the session of a cashier. The test of the counter's interface sends their requests. */
const OF_CASHIERS = ['api/internal.md', 'counter-app.md'];

/** Returns the code blocks that `RUNNERS` can run, each once: the English and the Swahili documentation contain the same blocks. */
export async function readSamples(): Promise<Sample[]> {
  const site = await buildSite();
  const samples = new Map<string, Sample>();
  for (const [path, text] of site) {
    if (!/^(?:api\/)?[\w-]+\.md$/.test(path) || OF_CASHIERS.includes(path)) continue;
    for (const [, indent = '', info = '', body = ''] of text.matchAll(/^( *)```(.+)\n([\s\S]*?)^ *```$/gm)) {
      const [language = '', ...label] = info.split(' ');
      const code = body.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
      if (RUNNERS[language] && !NOT_REQUESTS.test(code)) {
        samples.set(code, { name: label.join(' ') || path, isGenerated: path.startsWith('api/'), language, code });
      }
    }
  }
  return [...samples.values()];
}

/** Languages that a machine for tests may lack. */
const OPTIONAL = ['java', 'php'];

/** Returns why the samples of a language cannot run on this machine, or null if they can. */
export function missingProgram({ language }: Sample): string | null {
  const [command = '', ...args] = RUNNERS[language]?.probe ?? [];
  if (!OPTIONAL.includes(language) || spawnSync(command, args, { stdio: 'ignore' }).status === 0) return null;
  return `"${[command, ...args].join(' ')}" fails: it is not installed`;
}

/** Creates a folder in which the SDKs are installed as the documentation says. */
export function makeProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bili-samples-'));
  symlinkSync(join(PROJECT_ROOT, 'kits', 'php'), join(folder, 'bili'));
  const sdk = join(folder, 'node_modules', '@bili', 'sdk');
  mkdirSync(sdk, { recursive: true });
  cpSync(join(PROJECT_ROOT, 'kits', 'typescript', 'package.json'), join(sdk, 'package.json'));
  compileTypeScript(join(sdk, 'dist'));
  return folder;
}

/** Returns the given environment variables, and the variables by which a sample finds its programs and its SDK. */
export function sampleEnv(env: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const { PATH = '', HOME = '' } = process.env;
  const python = { PYTHONPATH: join(PROJECT_ROOT, 'kits', 'python', 'src'), PYTHONDONTWRITEBYTECODE: '1' };
  return { PATH, HOME, NODE_ENV: 'test', ...python, ...env };
}

/**
 * Writes a sample into a folder of its own below the project.
 * @param port where PHP's built-in web server serves a sample that receives webhooks. Samples in other languages read PORT instead.
 * @returns the command that runs the sample.
 */
export function prepareSample(project: string, { language, code }: Sample, port?: number): readonly string[] {
  const runner = RUNNERS[language];
  if (!runner) throw new Error(`nothing runs ${language}`);
  const folder = mkdtempSync(join(project, 'run-'));
  const file = join(folder, runner.file(code));
  writeFileSync(file, code);
  const serve = language === 'php' && port !== undefined ? ['-S', `127.0.0.1:${port}`] : [];
  return [...runner.command, ...serve, file];
}
