import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Settings } from '@/lib/config/settings';

const compressed = promisify(gzip);

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};

/** A file of the documentation, ready to be sent. */
export interface DocsFile {
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly gzipped: Uint8Array<ArrayBuffer>;
  /** The value of the ETag. It changes with the content. */
  readonly tag: string;
}

export interface DocsFiles {
  /** Returns a file by its path below the folder. Returns undefined if there is no such file. */
  find(path: string): Promise<DocsFile> | undefined;
}

/**
 * Reads each file of a folder at its first request, and keeps it in memory. Replaces the base addresses in the files by the base addresses
 * of this installation, so that readers can copy the examples.
 */
export function createDocsFiles(
  folder: string,
  { LIVE_BASE_URL, SANDBOX_BASE_URL }: Pick<Settings, 'LIVE_BASE_URL' | 'SANDBOX_BASE_URL'>,
): DocsFiles {
  const names: ReadonlySet<string> = new Set(
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/')),
  );
  const origins: Readonly<Record<string, string>> = {
    'http://localhost:3000': LIVE_BASE_URL.origin,
    'http://localhost:3001': SANDBOX_BASE_URL.origin,
  };
  const files = new Map<string, Promise<DocsFile>>();

  async function read(path: string, type: string): Promise<DocsFile> {
    const text = await readFile(join(folder, path), 'utf8');
    const bytes = new TextEncoder().encode(text.replace(/http:\/\/localhost:300[01]\b/g, (origin) => origins[origin] ?? origin));
    const tag = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
    return { type, bytes, gzipped: new Uint8Array(await compressed(bytes)), tag };
  }

  return {
    find(path) {
      const type = TYPES[extname(path)];
      if (type === undefined || !names.has(path)) return undefined;
      const known = files.get(path) ?? read(path, type);
      files.set(path, known);
      return known;
    },
  };
}
