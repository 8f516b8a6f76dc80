import { resolveSchema } from './resolve-schema';
import type { JsonSchema, OpenApiDocument } from './types';

/** A member of a JSON object. The names of members inside others are written with a dot: `lastAttempt.state`. */
interface MemberRow {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

/** Returns the members of an object schema, and those of the objects inside it. */
export function memberRows(document: OpenApiDocument, schema: JsonSchema, prefix = ''): readonly MemberRow[] {
  const { properties = {}, required = [], anyOf = [] } = resolveSchema(document, schema).schema;
  const alternatives = anyOf.flatMap((one) => memberRows(document, one, prefix));
  if (alternatives.length > 0) return unique(alternatives);
  return Object.entries(properties).flatMap(([name, member]) => {
    if (typeof member === 'boolean') return [];
    const { schema: resolved, nullable } = resolveSchema(document, member);
    const { items } = resolved;
    const element = items === undefined || typeof items === 'boolean' || Array.isArray(items) ? null : items;
    const row = {
      name: prefix + name,
      type: typeText(resolved, nullable),
      required: required.includes(name),
      description: describe(resolved),
    };
    return [row, ...memberRows(document, element ?? resolved, `${prefix}${name}${element ? '[]' : ''}.`)];
  });
}

/** Alternatives have some members in common. */
function unique(rows: readonly MemberRow[]): readonly MemberRow[] {
  return rows.filter((row, at) => rows.findIndex((other) => JSON.stringify(other) === JSON.stringify(row)) === at);
}

function describe({ description = '', enum: values, const: only, maximum, maxLength }: JsonSchema): string {
  const named = values?.filter((value) => value !== null) ?? [];
  return [
    description,
    only === undefined ? '' : `Always \`${only}\`.`,
    named.length > 0 ? `One of ${named.map((value) => `\`${value}\``).join(', ')}.` : '',
    maxLength === undefined ? '' : `At most ${maxLength} characters.`,
    maximum === undefined ? '' : `At most ${maximum.toLocaleString('en')}.`,
  ]
    .filter((text) => text !== '')
    .join(' ');
}

/** Returns the type of a schema in words. */
export function typeText({ type }: JsonSchema, nullable = false): string {
  const types = type === undefined ? ['any'] : [type].flat();
  return [...new Set([...types, ...(nullable ? ['null'] : [])])].join(' or ');
}
