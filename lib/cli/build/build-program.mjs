import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build, context } from 'esbuild';
import { ROOT } from './run.mjs';
import { isInput } from './stamp.mjs';

/** The entry points: of the program, and of the process in which tests run its commands. */
const PROGRAM = { bili: 'lib/cli/bili.ts', 'command-process': 'lib/cli/command-process.ts' };

/** Returns the options of esbuild: each entry point becomes one bundle with chunks that it loads on demand. Packages are not bundled. */
function options(outfile, entryPoints = PROGRAM) {
  return {
    entryPoints,
    outdir: dirname(outfile),
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    packages: 'external',
    jsx: 'automatic',
    sourcemap: true,
    logLevel: 'warning',
  };
}

/** Builds the program. Throws an error if it has a source that is not among the inputs of the build: its changes would go unnoticed. */
export async function buildProgram(outfile) {
  for (const old of ['chunks', 'compiled']) rmSync(join(dirname(outfile), old), { recursive: true, force: true });
  const { metafile } = await build({ ...options(outfile), metafile: true });
  const unwatched = Object.keys(metafile.inputs).filter((path) => !isInput(path));
  if (unwatched.length > 0) throw new Error(`INPUTS in lib/cli/build/stamp.mjs lacks sources of the program: ${unwatched.join(', ')}`);
}

/** The folder of the minified scripts of pages for customers. */
const SCRIPTS_FOLDER = join(ROOT, 'components', 'pay', 'generated');
/** These scripts, and the constants by which pages include them. */
const PAGE_SCRIPTS = {
  'auth-script': { entry: 'components/auth/script/help-forms.ts', name: 'AUTH_SCRIPT' },
  'share-script': { entry: 'components/pay/share-script/share-page.ts', name: 'SHARE_SCRIPT' },
  'phone-script': { entry: 'components/phone/script/ring-page.ts', name: 'PHONE_SCRIPT' },
  poller: { entry: 'components/pay/poller/poll-page.ts', name: 'PAY_POLLER' },
};

/** Minifies the scripts. @returns the path of each generated file, and its content: a text that pages include */
async function bundlePageScripts() {
  // The target is es2018. In older browsers the scripts do not run, and the pages work without them.
  const tsconfigRaw = { compilerOptions: { alwaysStrict: false } };
  const options = { bundle: true, minify: true, format: 'iife', target: 'es2018', charset: 'utf8', tsconfigRaw, write: false };
  return Promise.all(
    Object.entries(PAGE_SCRIPTS).map(async ([file, { entry, name }]) => {
      const { outputFiles } = await build({ ...options, entryPoints: [entry] });
      const [{ text }] = outputFiles;
      return { path: join(SCRIPTS_FOLDER, `${file}.ts`), content: `export const ${name} = ${JSON.stringify(text.trim())};\n` };
    }),
  );
}

/** The folder of the texts, with a folder for each language, and the module that contains them all. */
const MESSAGES = join(ROOT, 'lib', 'platform', 'i18n', 'messages');

/** Lists the files of texts. @returns the path of the module that contains all texts, and its content */
function listMessages() {
  const files = readdirSync(join(MESSAGES, 'en')).sort();
  const nameOf = (locale, file) => locale + file.replace('.json', '').replace(/(?:^|-)(\w)/g, (_, letter) => letter.toUpperCase());
  const imports = (locale) => files.map((file) => `import ${nameOf(locale, file)} from './messages/${locale}/${file}';\n`).join('');
  const spreads = (locale) => files.map((file) => `  ...${nameOf(locale, file)},\n`).join('');
  const content = `// Generated from the names of the files in the folder "messages".
${imports('en')}${imports('sw')}
/** All texts: for each language an object of namespaces. Each file contains the namespaces of one page or part of the product. */
export const ENGLISH = {
${spreads('en')}};
export type Messages = typeof ENGLISH;

export const SWAHILI: Messages = {
${spreads('sw')}};
`;
  return { path: `${MESSAGES}.ts`, content };
}

/** @returns {Promise<boolean>} whether the generated files are those of the current sources, which takes a moment to find out */
export async function areSourcesFresh() {
  const files = [listMessages(), ...(await bundlePageScripts())];
  return files.every(({ path, content }) => existsSync(path) && readFileSync(path, 'utf8') === content);
}

/** Writes the generated files. The list of texts is also in the repository, so that tools that only read it find it. */
export async function writeSources() {
  mkdirSync(SCRIPTS_FOLDER, { recursive: true });
  for (const { path, content } of [listMessages(), ...(await bundlePageScripts())]) writeFileSync(path, content);
}

/** Builds the benchmarks and fault tests, with the servers that they use. */
export async function buildBench(outfile) {
  const folder = 'testing/bench';
  rmSync(dirname(outfile), { recursive: true, force: true });
  await build(
    options(outfile, {
      'bench-api': `${folder}/bench-api.ts`,
      'bare-server': `${folder}/bare-server.ts`,
      'bench-charge': `${folder}/charge/bench-charge.ts`,
      'charge-provider': `${folder}/charge/provider.ts`,
      'charge-receiver': `${folder}/charge/receiver.ts`,
      'bench-webhooks': `${folder}/webhooks/bench-webhooks.ts`,
      'webhook-sink': `${folder}/webhooks/sink.ts`,
      'bench-pay': `${folder}/pay/bench-pay.ts`,
      'bench-dashboard': `${folder}/dashboard/bench-dashboard.ts`,
      'test-faults': 'testing/faults/run-faults.ts',
    }),
  );
}

/** Builds a tool: the one that writes the generated documentation, the one that prints the structure, or a step of the build. */
export async function buildTool(outfile, name) {
  const entries = {
    docs: 'lib/cli/docs/write-docs.ts',
    site: 'lib/cli/site/write-site.ts',
    structure: 'testing/structure/print-structure.ts',
  };
  await build(options(outfile, { [name]: entries[name] }));
}

/** Builds now and after every change, as long as this process runs. */
export async function watchProgram(outfile) {
  const watcher = await context(options(outfile));
  await watcher.rebuild();
  await watcher.watch();
}
