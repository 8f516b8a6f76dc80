import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
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
  /** Generated source files: Prisma's client and the scripts of pages for customers. */
  generated: [
    'components/pay/poller',
    'components/pay/share-script',
    'lib/build/build-program.mjs',
    'prisma/schema.prisma',
    'package-lock.json',
  ],
};
const OUTPUTS = { product: PROGRAM, generated: join(ROOT, 'components', 'pay', 'generated', 'poller.ts') };
const STAMPS = { product: join(BUILD, 'stamp'), generated: join(BUILD, 'generated-stamp') };
const NOT_BUILT =
  /(\.test\.tsx?|\.spec\.ts)$|^lib\/(testing|db\/generated)|^components\/pay\/generated|^prisma\/(catalogue\.txt|schema-engine\.mjs)/;

/** @returns {boolean} whether a part was built from the current files */
export function isFresh(part) {
  return existsSync(OUTPUTS[part]) && existsSync(STAMPS[part]) && readFileSync(STAMPS[part], 'utf8') === hashFiles(INPUTS[part]);
}

/** Builds a part and records the files from which it was built, as they were at the start of the build. */
export async function stamp(part, build) {
  const built = hashFiles(INPUTS[part]);
  rmSync(STAMPS[part], { force: true });
  await build();
  mkdirSync(dirname(STAMPS[part]), { recursive: true });
  writeFileSync(STAMPS[part], built);
}

/** Throws an error if the build is missing or older than its sources. */
export function requireBuild() {
  if (!isFresh('product')) throw new Error('The build is missing or stale: run "npm run build" first.');
}

function hashFiles(paths) {
  const hash = createHash('sha256').update(process.platform).update(process.arch);
  for (const path of paths.flatMap(listFiles).sort())
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(ROOT, path)))
      .update('\0');
  return hash.digest('hex');
}

function listFiles(path) {
  const full = join(ROOT, path);
  if (!existsSync(full)) return [];
  if (!statSync(full).isDirectory()) return [path];
  return readdirSync(full)
    .flatMap((name) => listFiles(relative(ROOT, join(full, name)).replaceAll('\\', '/')))
    .filter((file) => !NOT_BUILT.test(file));
}
