import { isRecord } from '@/lib/core/is-record';
import { resolveSchema } from './resolve-schema';
import type { JsonSchema, OpenApiDocument } from './types';

/**
 * Writes an example as indented JSON. Amounts get a decimal point, as in Bili's answers, because their schemas have the format "double".
 */
export function exampleJson(document: OpenApiDocument, schema: JsonSchema | boolean | undefined, value: unknown, indent = ''): string {
  const known = typeof schema === 'object' ? schemaFor(document, schema, value) : {};
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const items = Array.isArray(known.items) ? undefined : known.items;
    const list = value.map((item) => inner + exampleJson(document, items, item, inner));
    return list.length === 0 ? '[]' : `[\n${list.join(',\n')}\n${indent}]`;
  }
  if (isRecord(value)) {
    const members = Object.entries(value).map(
      ([name, member]) => `${inner}${JSON.stringify(name)}: ${exampleJson(document, known.properties?.[name], member, inner)}`,
    );
    return members.length === 0 ? '{}' : `{\n${members.join(',\n')}\n${indent}}`;
  }
  if (known.format === 'double' && Number.isInteger(value)) return `${String(value)}.0`;
  return JSON.stringify(value);
}

/** Returns the schema of a value. If the schema has alternatives, returns the first one that has all members of the value. */
function schemaFor(document: OpenApiDocument, schema: JsonSchema, value: unknown): JsonSchema {
  const { schema: known } = resolveSchema(document, schema);
  const names = isRecord(value) ? Object.keys(value) : [];
  const fitting = known.anyOf
    ?.map((one) => resolveSchema(document, one).schema)
    .find(({ properties = {} }) => names.every((name) => name in properties));
  return fitting ?? known;
}
