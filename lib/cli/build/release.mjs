import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { ROOT, run, say } from './run.mjs';
import { BUILD } from './stamp.mjs';

const RELEASES = join(BUILD, 'release');

/** Files that are copied unchanged, in addition to the pages, the program and the packages. */
const FILES = [
  ...['.env.example', 'CHANGELOG.md', 'LICENSE', 'deploy', 'public'],
  ...['lib/platform/pictures/fonts', 'lib/identity/merchants/decode-picture.mjs'],
  ...['prisma/migrations', 'prisma/migrations.sha256', 'prisma/schema.prisma'],
];
/** Files in .next that are not served. Only this build and later builds need them. */
const NOT_SERVED = /^(build|cache|dev|diagnostics|export-marker\.json|trace.*|turbopack|types)$|\.(map|nft\.json)$/;
const LICENCE = /^(licen[cs]e|notice|copying)/i;

/**
 * Packs the build into an archive that needs nothing but Node. It contains the program, the pages, the migrations and the package files
 * that run in production.
 * @returns {Promise<string>} the path of the archive
 */
export async function makeRelease() {
  const { name, version, description, license, type } = readJson('package.json');
  const release = `${name}-${version}-${process.platform}-${process.arch}`;
  const folder = join(RELEASES, release);
  const archive = `${folder}.tar.gz`;
  say('Packing the release…');
  for (const old of [folder, archive]) rmSync(old, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });

  for (const path of FILES) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  cpSync(join(ROOT, 'lib', 'cli', 'build', 'release-entry.mjs'), join(folder, 'bili.mjs'));
  cpSync(join(ROOT, 'lib', 'cli', 'source-maps.mjs'), join(folder, 'program', 'source-maps.mjs'));
  for (const part of ['bili.mjs', 'bili.mjs.map', 'chunks']) cpSync(join(BUILD, part), join(folder, 'program', part), { recursive: true });
  cpSync(join(BUILD, 'site'), join(folder, '.build', 'site'), { recursive: true });
  copyPages(join(ROOT, '.next'), join(folder, '.next'));
  await copyPackages(folder);
  // The release needs a package.json, because messages refer to commands as "npm run -s bili -- …".
  const scripts = { start: 'node bili.mjs start', bili: 'node bili.mjs' };
  const manifest = { name, version, description, private: true, license, type, engines: { node: '>=24' }, scripts };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);

  const code = await run('tar', ['-czf', `${release}.tar.gz`, release], { cwd: RELEASES });
  if (code !== 0) throw new Error('The archive could not be written: see above.');
  return archive;
}

function copyPages(from, to) {
  const filter = (path) => !NOT_SERVED.test(path === from ? '' : path.slice(path.lastIndexOf('/') + 1)) || path.includes('/static/');
  // With `verbatimSymlinks`, the relative links to packages are copied unchanged, so they point to the packages of the release.
  cpSync(from, to, { recursive: true, verbatimSymlinks: true, filter });
}

async function copyPackages(folder) {
  const files = new Set([...(await traceProgram()), ...tracePages()]);
  const packages = new Set([...files].map((file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? ''));
  packages.delete('');
  for (const path of packages)
    for (const file of readdirSync(join(ROOT, path))) if (file === 'package.json' || LICENCE.test(file)) files.add(`${path}/${file}`);
  for (const file of files) cpSync(join(ROOT, file), join(folder, file), { recursive: true, verbatimSymlinks: true });
}

/** Returns the package files that the program can load, found by Next.js's own copy of @vercel/nft. */
async function traceProgram() {
  const { default: tracer } = await import('next/dist/compiled/@vercel/nft/index.js');
  const ignore = ['**/*.map', '**/*.d.ts', '**/next/dist/compiled/webpack/**', '**/@next/swc-*/**'];
  const { fileList } = await tracer.nodeFileTrace([join(BUILD, 'bili.mjs')], { base: ROOT, processCwd: ROOT, ignore });
  return [...fileList].filter(isPackaged);
}

/** Returns the package files that Next.js and its pages can load, as recorded by the build. */
function tracePages() {
  const lists = readdirSync(join(ROOT, '.next'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.nft.json'));
  return lists.flatMap((name) => {
    const list = join('.next', name);
    return readJson(list)
      .files.map((file) => normalize(join(dirname(list), file)).replaceAll('\\', '/'))
      .filter(isPackaged);
  });
}

function isPackaged(file) {
  return file.startsWith('node_modules/') && !file.endsWith('.d.ts');
}

function readJson(path) {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
}
