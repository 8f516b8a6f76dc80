import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');

const OLDEST_NODE = 24;

/** Returns the Node that the lock file pins, or the current one if npm has no Node for the platform. */
export function nodePath() {
  const pinned = pinnedNode();
  if (existsSync(pinned)) return pinned;
  if (Number(process.versions.node.split('.')[0]) >= OLDEST_NODE) return process.execPath;
  throw new Error(`Bili needs Node ${OLDEST_NODE} or later on this platform; this is ${process.versions.node}.`);
}

function pinnedNode() {
  return join(ROOT, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');
}

/** Runs a script on the pinned Node. @returns {Promise<number>} its exit code */
export function runNode(args, options = {}) {
  const ipc = options.stdio === undefined;
  return run(nodePath(), args, { ...(ipc && { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] }), ...options });
}

/**
 * Runs a program to its end. It forwards signals so that the program can shut down, and stops the program when this process or its parent
 * is killed. Piped output is shown only if the program fails.
 * @returns {Promise<number>} its exit code
 */
export function run(program, args, options = {}) {
  const child = spawn(program, args, { stdio: 'inherit', ...options });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => output.push(chunk));
  const pass = (signal) => child.kill(signal);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, pass);
  const parent = process.ppid;
  const orphaned = setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 500);
  orphaned.unref();
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearInterval(orphaned);
      for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(name, pass);
      if (code !== 0) process.stderr.write(Buffer.concat(output));
      resolve(code ?? (signal === 'SIGINT' ? 130 : 143));
    });
  });
}

export function say(text) {
  process.stderr.write(`${text}\n`);
}
