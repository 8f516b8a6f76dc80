import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { build } from 'esbuild';
import { PROJECT_ROOT } from '@/lib/config/project-root';

interface Asset {
  /** The address. It changes with the content, so browsers may cache the content. */
  readonly address: string;
  readonly content: string;
}

const FOLDER = join(PROJECT_ROOT, 'lib', 'cli', 'site');

/** Minifies the style and the script of the pages. */
export async function buildAssets(): Promise<{ readonly style: Asset; readonly script: Asset }> {
  const [style, script] = await Promise.all([minify('style/docs.css', 'css'), minify('script/docs.ts', 'js')]);
  return { style, script };
}

async function minify(entry: string, ending: string): Promise<Asset> {
  const { outputFiles } = await build({
    entryPoints: [join(FOLDER, entry)],
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2020',
    charset: 'utf8',
    write: false,
    outdir: FOLDER,
  });
  const content = outputFiles[0]?.text ?? '';
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 12);
  return { address: `/docs/assets/docs-${hash}.${ending}`, content };
}
