import { codes, table } from './markdown';
import { resolveSchema } from './resolve-schema';
import type { JsonSchema, OpenApiDocument } from './types';

/** Components that belong to one operation, and are shown there. */
const OF_OPERATION = /(?:Request|Response)$/;

/** Returns the names of the objects that have a section of their own. */
export function objectNames({ components }: OpenApiDocument): string[] {
  return Object.entries(components.schemas).flatMap(([name, { properties }]) => (properties && !OF_OPERATION.test(name) ? [name] : []));
}

/** Returns a link to the section of an object, also for a schema that allows the object or null. Null if the schema is no such object. */
export function objectLink(document: OpenApiDocument, { $ref, anyOf = [] }: JsonSchema): string | null {
  const [only, none] = anyOf;
  const target = only && none?.type === 'null' ? only.$ref : $ref;
  const name = target?.split('/').at(-1) ?? '';
  return objectNames(document).includes(name) ? `[${name}](#${name.toLowerCase()})` : null;
}

/** Returns a table of the members of an object. Names of members inside others are written with a dot: `customer.name`. */
export function memberTable(document: OpenApiDocument, schema: JsonSchema, { showRequired = false } = {}): string {
  return table(['member', 'type', 'meaning'], memberRows(document, schema, showRequired));
}

function memberRows(document: OpenApiDocument, schema: JsonSchema, showRequired: boolean, prefix = ''): string[][] {
  const { properties = {}, required = [] } = resolveSchema(document, schema).schema;
  return Object.entries(properties).flatMap(([name, member]) => {
    if (typeof member === 'boolean') return [];
    const resolved = resolveSchema(document, member).schema;
    const type = `${typeText(document, member)}${showRequired && required.includes(name) ? ', required' : ''}`;
    const row = [`\`${prefix}${name}\``, type, meaning(resolved)];
    return [row, ...(objectLink(document, member) ? [] : memberRows(document, member, showRequired, `${prefix}${name}.`))];
  });
}

/** Returns the type of a schema in words. */
export function typeText(document: OpenApiDocument, schema: JsonSchema): string {
  const { schema: resolved, nullable } = resolveSchema(document, schema);
  const { type, items, anyOf } = resolved;
  const alternatives = (schema.anyOf ?? anyOf ?? []).filter(({ type: one }) => one !== 'null').map((one) => typeText(document, one));
  const list = type === 'array' && typeof items === 'object' && !Array.isArray(items) ? `array of ${typeText(document, items)}` : undefined;
  const types = type === undefined ? ['any'] : [type].flat();
  const named = objectLink(document, schema) ?? list;
  const texts = named !== undefined ? [named] : alternatives.length > 0 ? alternatives : types;
  return [...new Set([...texts, ...(nullable ? ['null'] : [])])].join(' or ');
}

/** Returns the description of a schema with its values and limits. */
export function meaning({
  description = '',
  enum: values,
  const: only,
  minimum,
  maximum,
  maxLength,
  maxItems,
  default: fallback,
}: JsonSchema): string {
  const named = values?.filter((value) => value !== null) ?? [];
  // A larger maximum is the latest instant that is not refused as a mistake. Readers do not need it.
  const isLimit = maximum !== undefined && maximum <= 1e12;
  const parts = [
    description,
    only === undefined ? '' : `Always \`${only}\`.`,
    named.length > 0 ? `One of ${codes(named)}.` : '',
    maxLength === undefined ? '' : `At most ${maxLength} characters.`,
    maxItems === undefined ? '' : `At most ${maxItems} entries.`,
    isLimit ? `${minimum === undefined ? 'At' : `At least ${minimum}, at`} most ${maximum.toLocaleString('en')}.` : '',
    fallback === undefined ? '' : `Default: \`${String(fallback)}\`.`,
  ];
  return parts.filter((text) => text !== '').join(' ');
}
