import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PROJECT_ROOT } from '@/lib/platform/config/project-root';

/** Runs the tests of the WooCommerce plugin against a sandbox. @returns what they print */
export async function testPlugin(env: {
  readonly BILI_URL: string;
  readonly BILI_KEY: string;
  readonly BILI_SECRET: string;
}): Promise<string> {
  const { PATH = '', HOME = '' } = process.env;
  const script = join(PROJECT_ROOT, 'kits', 'woocommerce', 'tests', 'run.php');
  const { stdout } = await promisify(execFile)('php', [script], { env: { PATH, HOME, NODE_ENV: 'test', ...env } });
  return stdout;
}
