import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

// A generator of Prisma: writes the types of all columns, from which SQL statements take theirs. `prisma generate` runs it, sends it one
// request per line and reads the answers from its error output.

/** The types of Prisma's schema that have one type in PostgreSQL, by Prisma's name or by the name of the native type. */
const TYPES = {
  BigInt: 'int8',
  Boolean: 'boolean',
  Bytes: 'bytea',
  Date: 'date',
  Float: 'float8',
  Int: 'int4',
  Json: 'jsonb',
  SmallInt: 'int2',
  String: 'text',
  Timestamptz: 'timestamptz',
  Uuid: 'uuid',
  VarChar: 'varchar',
};

const HEAD = '// Generated from prisma/schema.prisma. Changes are lost.\n\nimport * as sql from "../sql-types";\n';

const camelCase = (name) => name[0].toLowerCase() + name.slice(1);

function writeEnum({ name, dbName, values }) {
  return `export const ${camelCase(name)} = sql.enumType("${dbName}", ${JSON.stringify(values.map((value) => value.name))});`;
}

function writeColumn({ name, dbName, kind, type, nativeType, isList, isRequired }) {
  const plain = kind === 'enum' ? camelCase(type) : `sql.${TYPES[nativeType?.[0] ?? type]}`;
  const element = isList ? `sql.array(${plain})` : plain;
  return `  ${name}: sql.column("${dbName ?? name}", ${isRequired ? element : `sql.nullable(${element})`}),`;
}

function writeTable({ name, fields }) {
  const columns = fields.filter(({ kind }) => kind !== 'object').map(writeColumn);
  return [`export const ${camelCase(name)} = {`, ...columns, '};'].join('\n');
}

/** Returns the mark of each column of text, JSON or bytes: the kind of personal data in it, or null if it has no mark. */
function listMarks({ name, dbName, fields }) {
  return fields
    .filter(({ kind, type, nativeType }) => kind === 'scalar' && ['String', 'Json', 'Bytes'].includes(type) && nativeType?.[0] !== 'Uuid')
    .map((field) => [dbName ?? name, field.dbName ?? field.name, field.documentation?.match(/^personal: (.+)$/m)?.[1] ?? null]);
}

function writeMarks(models) {
  const rows = models.flatMap(listMarks).map((mark) => `  ${JSON.stringify(mark)},`);
  return ['/** Table, column, and the mark in the schema. */', 'export const marks = [', ...rows, '] as const;'].join('\n');
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === 'generate') {
    const { enums, models } = params.dmmf.datamodel;
    const folder = params.generator.output.value;
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'tables.ts'), [HEAD, ...enums.map(writeEnum), ...models.map(writeTable), writeMarks(models), ''].join('\n'));
  }
  const result = method === 'getManifest' ? { manifest: { prettyName: 'types of columns' } } : null;
  process.stderr.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
}
