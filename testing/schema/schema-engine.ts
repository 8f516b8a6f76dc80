import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum, type SqlQuery } from '@prisma/driver-adapter-utils';
import type { SchemaEngine } from '@prisma/schema-engine-wasm';
import pg from 'pg';

/**
 * Runs Prisma's schema engine. `prisma/schema-engine.mjs` loads this file with Node directly, so this file may import packages, but no
 * other files of the repository.
 * @param url the database. Without it, the engine can only compare files.
 * @param files the schema files.
 */
export async function withEngine<Value>(
  url: string | undefined,
  files: readonly { path: string; content: string }[],
  work: (engine: SchemaEngine) => Promise<Value>,
): Promise<Value> {
  const pool = new pg.Pool({ ...(url !== undefined && { connectionString: url }), connectionTimeoutMillis: 5_000, max: 2 });
  try {
    const datamodels = files.length > 0 ? files.map(({ path, content }): [string, string] => [path, content]) : undefined;
    loadedEngine ??= loadEngine();
    const engine = await (await loadedEngine).new(
      { datamodels },
      () => undefined,
      bindMigrationAwareSqlAdapterFactory(url === undefined ? withoutDatabase(adapterFactory(pool)) : adapterFactory(pool)),
    );
    return await work(engine);
  } finally {
    await pool.end();
  }
}

const CHAR_OID = 18;

/**
 * Prisma's adapter with two fixes (for 7.10) that only the engine needs: the adapter refuses catalogue columns of type "char", and it
 * splits scripts at every semicolon, even inside functions.
 */
function adapterFactory(pool: pg.Pool): PrismaPg {
  const charColumns = new Set<string>();
  const query = pool.query.bind(pool);
  Object.assign(pool, {
    query: async (config: pg.QueryConfig) => {
      const result = await query(config);
      for (const field of result.fields.filter(({ dataTypeID }) => dataTypeID === CHAR_OID)) {
        charColumns.add(field.name);
        field.dataTypeID = pg.types.builtins.TEXT;
      }
      return result;
    },
  });

  const factory = new PrismaPg(pool);
  const connect = factory.connect.bind(factory);
  return Object.assign(factory, {
    connect: async () => {
      const adapter = await connect();
      const queryRaw = adapter.queryRaw.bind(adapter);
      return Object.assign(adapter, {
        executeScript: async (script: string) => void (await query(script)),
        queryRaw: async (asked: SqlQuery) => {
          const result = await queryRaw(asked);
          const columnTypes = result.columnTypes.map((type, index) =>
            charColumns.has(result.columnNames[index] ?? '') ? ColumnTypeEnum.Character : type,
          );
          return { ...result, columnTypes };
        },
      });
    },
  });
}

/** Lets the engine compare files without a database. The engine queries only the server's version at its start, so this is faked. */
function withoutDatabase(factory: PrismaPg): PrismaPg {
  const connect = factory.connect.bind(factory);
  const version = {
    columnNames: ['exists', 'version', 'numeric_version'],
    columnTypes: [ColumnTypeEnum.Boolean, ColumnTypeEnum.Text, ColumnTypeEnum.Int32],
    rows: [[true, 'PostgreSQL 18.0', 180_000]],
  };
  return Object.assign(factory, {
    connect: async () =>
      Object.assign(await connect(), {
        queryRaw: async ({ sql }: SqlQuery) => {
          if (!sql.includes('server_version_num')) throw new Error('There is no database to ask.');
          return version;
        },
      }),
  });
}

// One instance per process, because the bindings share memory: a second instance would corrupt the first.
let loadedEngine: Promise<typeof SchemaEngine> | undefined;

async function loadEngine(): Promise<typeof SchemaEngine> {
  const bindings = await import('@prisma/schema-engine-wasm/schema_engine_bg');
  const path = createRequire(import.meta.url)
    .resolve('@prisma/schema-engine-wasm')
    .replace(/schema_engine\.js$/, 'schema_engine_bg.wasm');
  const module = await WebAssembly.compile(await readFile(path));
  const imports: WebAssembly.ModuleImports = {};
  for (const [name, value] of Object.entries(bindings)) if (typeof value === 'function') imports[name] = value;
  const instance = await WebAssembly.instantiate(module, { './schema_engine_bg.js': imports });
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
