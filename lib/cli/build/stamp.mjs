import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ROOT } from './run.mjs';

export const BUILD = join(ROOT, '.build');
export const PROGRAM = join(BUILD, 'bili.mjs');

const INPUTS = {
  /** The files from which the pages and the program are built. */
  product: [
    'CHANGELOG.md',
    'app',
    'components',
    'docs/site',
    'lib',
    'prisma',
    'public',
    'next.config.mjs',
    'package-lock.json',
    'postcss.config.mjs',
    'prisma.config.ts',
    'tsconfig.json',
  ],
  /** The files from which Prisma's client is generated. */
  client: ['prisma/schema.prisma', 'prisma.config.ts', 'package-lock.json', 'lib/cli/build/generate-tables.mjs'],
};
/** What a build writes: files, and folders with all their files. */
const OUTPUTS = {
  product: ['.build/bili.mjs', '.build/command-process.mjs', '.build/chunks', '.build/site', '.next'],
  client: ['lib/platform/db/generated'],
};
/** Files of Next.js that other commands remove or write, or that only a build reads. */
const NOT_OUTPUT = /^\.next\/(build|cache|dev|diagnostics|trace|turbopack|types)/;
const STAMPS = { product: join(BUILD, 'stamp'), client: join(BUILD, 'client-stamp') };
const NOT_BUILT =
  /(\.test\.tsx?|\.spec\.ts)$|^lib\/platform\/db\/generated|^lib\/platform\/i18n\/messages\.ts|^components\/pay\/generated|^prisma\/(catalogue\.txt|schema-engine\.mjs)/;

/** @returns {boolean} whether a part was built from the current files, and all files of this build still exist */
export function isFresh(part) {
  if (!existsSync(STAMPS[part])) return false;
  const [built, ...outputs] = readFileSync(STAMPS[part], 'utf8').split('\n');
  return (
    outputs.length > 0 && outputs.every((path) => existsSync(join(ROOT, path))) && built === hashFiles(INPUTS[part].flatMap(listInputs))
  );
}

/** @returns {boolean} whether a change of a file makes the build of the product stale */
export function isInput(path) {
  return INPUTS.product.some((input) => path === input || path.startsWith(`${input}/`));
}

/** Builds a part, and records the files from which it was built, as they were at the start of the build, and the files that it wrote. */
export async function stamp(part, build) {
  const built = hashFiles(INPUTS[part].flatMap(listInputs));
  rmSync(STAMPS[part], { force: true });
  await build();
  const outputs = OUTPUTS[part].flatMap(listFiles).filter((path) => !NOT_OUTPUT.test(path));
  mkdirSync(dirname(STAMPS[part]), { recursive: true });
  writeFileSync(STAMPS[part], [built, ...outputs].join('\n'));
}

/** Throws an error if the build is missing or older than its sources. */
export function requireBuild() {
  if (!isFresh('product')) throw new Error('The build is missing or stale: run "npm run build" first.');
}

function hashFiles(paths) {
  const hash = createHash('sha256').update(process.platform).update(process.arch);
  for (const path of paths.sort())
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(ROOT, path)))
      .update('\0');
  return hash.digest('hex');
}

function listInputs(path) {
  return listFiles(path).filter((file) => !NOT_BUILT.test(file));
}

function listFiles(path) {
  const full = join(ROOT, path);
  if (!existsSync(full)) return [];
  // A link is one file: Next.js links packages from .next/node_modules.
  if (!lstatSync(full).isDirectory()) return [path];
  return readdirSync(full).flatMap((name) => listFiles(relative(ROOT, join(full, name)).replaceAll('\\', '/')));
}
