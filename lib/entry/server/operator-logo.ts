import { readFile } from 'node:fs/promises';
import type { WebRuntime } from './web-runtime';

/** The operator's logo, small enough to be embedded in a page. */
interface OperatorLogo {
  readonly source: string;
  readonly width: number;
  readonly height: number;
}

let read: Promise<OperatorLogo | null> | undefined;

/**
 * Returns the logo from the file that the setting OPERATOR_LOGO names. Returns null if the setting is missing or the file cannot be used,
 * and logs an unusable file. A process reads the file only once.
 */
export function operatorLogo(runtime: Pick<WebRuntime, 'settings' | 'log'>): Promise<OperatorLogo | null> {
  read ??= readLogo(runtime);
  return read;
}

async function readLogo({ settings: { OPERATOR_LOGO: path }, log }: Pick<WebRuntime, 'settings' | 'log'>): Promise<OperatorLogo | null> {
  if (path === undefined) return null;
  try {
    // The module loads a native library, which a process without a logo does not need.
    const { encodeLogo } = await import('@/lib/identity/merchants/encode-logo');
    const logo = await encodeLogo(await readFile(path), 'operator');
    if (logo.ok) {
      const { type, bytes, width, height } = logo.value;
      return { source: `data:${type};base64,${Buffer.from(bytes).toString('base64')}`, width, height };
    }
    log.warn({ path, problem: logo.error.kind }, 'OPERATOR_LOGO is not a picture that can be shown');
  } catch (error) {
    log.warn({ err: error, path }, 'OPERATOR_LOGO cannot be read');
  }
  return null;
}
