import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { build, context } from 'esbuild';

/** The program as one bundle and the chunks it loads when needed; packages stay where npm put them. */
function options(outfile) {
  return {
    entryPoints: { bili: 'lib/cli/main.ts' },
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
  rmSync(`${dirname(outfile)}/chunks`, { recursive: true, force: true });
  await build(options(outfile));
}

/** Builds, and builds again on every change for as long as this process lives. */
export async function watchProgram(outfile) {
  const watcher = await context(options(outfile));
  await watcher.rebuild();
  await watcher.watch();
}
