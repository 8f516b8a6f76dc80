import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory, DriverAdapterError } from '@prisma/driver-adapter-utils';
import type { MigrationList, SchemaEngine } from '@prisma/schema-engine-wasm';
import pg from 'pg';
import { PROJECT_ROOT } from '@/lib/config/project-root';

const MIGRATIONS = join(PROJECT_ROOT, 'prisma', 'migrations');
const NO_FILTERS = { externalTables: [], externalEnums: [] };

/**
 * Applies the migrations that a database does not have yet, with Prisma's own engine as WebAssembly (the native one would
 * be downloaded). Writes the ordinary `_prisma_migrations` table, under Prisma's own advisory lock.
 * @returns the names of those applied.
 */
export async function migrate(url: string): Promise<string[]> {
  return withEngine(url, [], async (engine) => {
    const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList: await readMigrations(), filters: NO_FILTERS });
    return appliedMigrationNames;
  });
}

/** @returns the SQL that would turn a migrated database into what schema.prisma says; empty when they agree. */
export async function schemaDrift(url: string): Promise<string> {
  const path = join(PROJECT_ROOT, 'prisma', 'schema.prisma');
  const files = [{ path, content: await readFile(path, 'utf8') }];
  return withEngine(url, files, async (engine) => {
    const { stdout } = await engine.diff({
      from: { tag: 'schemaDatasource', files, configDir: PROJECT_ROOT },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: false,
      filters: NO_FILTERS,
    });
    return stdout?.replace(/^-- This is an empty migration\.\s*$/m, '').trim() ?? '';
  });
}

/** @returns the SQL that makes what schema.prisma says in an empty database: the start of a new first migration. */
export async function schemaScript(url: string): Promise<string> {
  const path = join(PROJECT_ROOT, 'prisma', 'schema.prisma');
  const files = [{ path, content: await readFile(path, 'utf8') }];
  return withEngine(url, files, async (engine) => {
    const to = { tag: 'schemaDatamodel' as const, files };
    const { stdout } = await engine.diff({ from: { tag: 'empty' }, to, script: true, exitCode: false, filters: NO_FILTERS });
    return stdout ?? '';
  });
}

/** @returns the names of all migrations, oldest first. */
export async function listMigrations(): Promise<string[]> {
  const entries = await readdir(MIGRATIONS, { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
}

async function readMigrations(): Promise<MigrationList> {
  const names = await listMigrations();
  return {
    baseDir: MIGRATIONS,
    lockfile: { path: 'migration_lock.toml', content: await readFile(join(MIGRATIONS, 'migration_lock.toml'), 'utf8') },
    shadowDbInitScript: '',
    migrationDirectories: await Promise.all(
      names.map(async (name) => ({
        path: name,
        migrationFile: {
          path: 'migration.sql',
          content: { tag: 'ok' as const, value: await readFile(join(MIGRATIONS, name, 'migration.sql'), 'utf8') },
        },
      })),
    ),
  };
}

async function withEngine<Value>(
  url: string,
  files: { path: string; content: string }[],
  work: (engine: SchemaEngine) => Promise<Value>,
): Promise<Value> {
  const pool = readableCatalogue(url);
  try {
    const adapter = bindMigrationAwareSqlAdapterFactory(wholeScripts(pool));
    loadedEngine ??= loadEngine();
    const datamodels = files.map(({ path, content }): [string, string] => [path, content]);
    const engine = await (await loadedEngine).new({ datamodels: files.length ? datamodels : undefined }, () => undefined, adapter);
    return await work(engine);
  } finally {
    await pool.end();
  }
}

/** Prisma's adapter 7.10 cuts a script at every semicolon, also inside a function's body: scripts are sent whole instead. */
function wholeScripts(pool: pg.Pool): PrismaPg {
  const factory = new PrismaPg(pool);
  const connect = factory.connect.bind(factory);
  async function executeScript(script: string): Promise<void> {
    const client = await pool.connect();
    try {
      await client.query(script);
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) throw error;
      const { code = '', severity = '', message, detail, column, hint } = error;
      throw new DriverAdapterError({ kind: 'postgres', code, severity, message, detail, column, hint });
    } finally {
      client.release();
    }
  }
  return Object.assign(factory, { connect: async () => Object.assign(await connect(), { executeScript }) });
}

const CHAR_OID = 18;

/** The engine reads catalogue columns of type "char", which Prisma's adapter 7.10 refuses: they are shown to it as text. */
function readableCatalogue(url: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, connectionTimeoutMillis: 5_000, max: 2 });
  const query = pool.query.bind(pool);
  return Object.assign(pool, {
    query: async (config: pg.QueryConfig) => {
      const result = await query(config);
      for (const field of result.fields) if (field.dataTypeID === CHAR_OID) field.dataTypeID = pg.types.builtins.TEXT;
      return result;
    },
  });
}

// Once per process: the bindings hold one instance, and a second would pull the memory from under the first.
let loadedEngine: Promise<typeof SchemaEngine> | undefined;

async function loadEngine(): Promise<typeof SchemaEngine> {
  const bindings = await import('@prisma/schema-engine-wasm/schema_engine_bg');
  const path = createRequire(import.meta.url)
    .resolve('@prisma/schema-engine-wasm')
    .replace(/schema_engine\.js$/, 'schema_engine_bg.wasm');
  const module = await WebAssembly.compile(await readFile(path));
  const instance = await WebAssembly.instantiate(module, { './schema_engine_bg.js': bindings as unknown as WebAssembly.ModuleImports });
  bindings.__wbg_set_wasm(instance.exports);
  const start = instance.exports.__wbindgen_start;
  if (typeof start !== 'function') throw new Error('the schema engine has no start function');
  start();
  Object.assign(globalThis, {
    PRISMA_WASM_PANIC_REGISTRY: {
      set_message(message: string) {
        throw new Error(`the schema engine failed: ${message}`);
      },
    },
  });
  return bindings.SchemaEngine;
}
