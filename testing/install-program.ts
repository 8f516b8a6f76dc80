import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs an installation command. Returns the first of the paths that exists afterwards, or undefined. */
export function installProgram(command: string, args: readonly string[], paths: readonly string[]): string | undefined {
  process.stderr.write(`Installing what a test needs: ${command} ${args.join(' ')}\n`);
  spawnSync(command, [...args], { stdio: 'ignore', timeout: 600_000, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
  return paths.find((path) => existsSync(path));
}

/**
 * Installs a Debian package. Waits for other test processes that are installing one. Returns the first of the paths that exists
 * afterwards, or undefined.
 */
export function installDebianPackage(name: string, paths: readonly string[]): string | undefined {
  const lock = join(tmpdir(), 'bili-apt.lock');
  return installProgram('flock', [lock, 'sh', '-c', `apt-get update -qq && apt-get install -y -qq ${name}`], paths);
}
