import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build, context } from 'esbuild';

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

export async function buildProgram(outfile) {
  for (const old of ['chunks', 'compiled']) rmSync(join(dirname(outfile), old), { recursive: true, force: true });
  await build(options(outfile));
}

/** The scripts of pages for customers, and the constants by which pages include them. */
const PAGE_SCRIPTS = {
  'share-script': { entry: 'components/pay/share-script/share-page.ts', name: 'SHARE_SCRIPT' },
  'phone-script': { entry: 'components/phone/script/ring-page.ts', name: 'PHONE_SCRIPT' },
  poller: { entry: 'components/pay/poller/poll-page.ts', name: 'PAY_POLLER' },
};

/** Minifies the scripts of pages for customers, and writes each as a text that pages include. */
export async function buildPageScripts(folder) {
  // The target is es2018. In older browsers the scripts do not run, and the pages work without them.
  const tsconfigRaw = { compilerOptions: { alwaysStrict: false } };
  const options = { bundle: true, minify: true, format: 'iife', target: 'es2018', charset: 'utf8', tsconfigRaw, write: false };
  mkdirSync(folder, { recursive: true });
  for (const [file, { entry, name }] of Object.entries(PAGE_SCRIPTS)) {
    const { outputFiles } = await build({ ...options, entryPoints: [entry] });
    const [{ text }] = outputFiles;
    writeFileSync(join(folder, `${file}.ts`), `export const ${name} = ${JSON.stringify(text.trim())};\n`);
  }
}

/** Builds the benchmarks and fault tests, with the servers that they use. */
export async function buildBench(outfile) {
  const folder = 'lib/testing/bench';
  rmSync(dirname(outfile), { recursive: true, force: true });
  await build(
    options(outfile, {
      'bench-api': `${folder}/bench-api.ts`,
      'bare-server': `${folder}/bare-server.ts`,
      'bench-charge': `${folder}/charge/bench-charge.ts`,
      'charge-provider': `${folder}/charge/provider.ts`,
      'charge-receiver': `${folder}/charge/receiver.ts`,
      'bench-accounts': `${folder}/accounts/bench-accounts.ts`,
      'bench-truth': `${folder}/truth/bench-truth.ts`,
      'bench-flood': `${folder}/flood/bench-flood.ts`,
      'flood-sender': `${folder}/flood/flood-sender.ts`,
      'bench-webhooks': `${folder}/webhooks/bench-webhooks.ts`,
      'webhook-sink': `${folder}/webhooks/sink.ts`,
      'bench-pay': `${folder}/pay/bench-pay.ts`,
      'bench-dashboard': `${folder}/dashboard/bench-dashboard.ts`,
      'test-faults': 'lib/testing/faults/run-faults.ts',
    }),
  );
}

/** Builds a tool: the one that writes the generated documentation, the one that prints the structure, or a step of the build. */
export async function buildTool(outfile, name) {
  const entries = { docs: 'lib/cli/write-docs.ts', site: 'lib/cli/write-site.ts', structure: 'lib/testing/structure/print-structure.ts' };
  await build(options(outfile, { [name]: entries[name] }));
}

/** Builds now and after every change, as long as this process runs. */
export async function watchProgram(outfile) {
  const watcher = await context(options(outfile));
  await watcher.rebuild();
  await watcher.watch();
}
