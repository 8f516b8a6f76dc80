#!/usr/bin/env node
// Replaces the program `schema-engine`, which Prisma's command line would download, by the same engine as WebAssembly from npm. Prisma
// finds this file by its path in prisma.config.ts, and talks to it as to the program: JSON-RPC, one message a line.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const OLDEST_NODE = 24;

// Older versions of Node cannot load TypeScript.
if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
  const pinned = fileURLToPath(new URL(`../node_modules/node-${process.platform}-${process.arch}/bin/node`, import.meta.url));
  if (!existsSync(pinned)) throw new Error(`Prisma's commands need Node ${OLDEST_NODE} or later here.`);
  process.exit(spawnSync(pinned, process.argv.slice(1), { stdio: 'inherit' }).status ?? 1);
}

const { values, positionals } = parseArgs({
  strict: false,
  allowPositionals: true,
  options: { datamodels: { type: 'string', multiple: true }, datasource: { type: 'string' }, version: { type: 'boolean' } },
});
const files = (values.datamodels ?? []).map((path) => ({ path, content: readFileSync(resolve(path), 'utf8') }));
const url = JSON.parse(values.datasource ?? '{}').url;

if (values.version) process.stdout.write('schema-engine (WebAssembly)\n');
else if (positionals[0] === 'cli') process.exitCode = await runCommand(positionals[1]);
else await serve();

/** Writes an error as JSON to standard error, after an empty line, because Prisma ignores the first line. @returns the exit code. */
async function runCommand(name) {
  try {
    if (name !== 'can-connect-to-database') throw new Error(`"${name}" is not supported: use "npm run -s bili -- migrate".`);
    await withEngine((engine) => engine.ensureConnectionValidity({ datasource: { tag: 'ConnectionString', url } }));
    return 0;
  } catch (error) {
    const fields = { error_code: error.code ?? 'P1001', message: describe(error) };
    process.stderr.write(`\n${JSON.stringify({ level: 'ERROR', target: 'schema_engine::logger', fields })}`);
    return 1;
  }
}

async function serve() {
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, method, params } = JSON.parse(line);
    // This line is Prisma's answer to our "print", not a request.
    if (!method) continue;
    try {
      const result = await withEngine((engine) => engine[method === 'getDatabaseVersion' ? 'version' : method](params));
      if (method === 'diff') send({ id, method: 'print', params: { content: result.stdout ?? '' } });
      send({ id, result: result ?? null });
    } catch (error) {
      const message = describe(error);
      send({ id, error: { code: 4466, message, data: { is_panic: false, message, error_code: error.code } } });
    }
  }
}

async function withEngine(work) {
  const { withEngine: open } = await import('../testing/schema/schema-engine.ts');
  return open(url, files, work);
}

function describe(error) {
  return error.message || error.errors?.map(({ message }) => message).join('; ') || String(error);
}

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}
