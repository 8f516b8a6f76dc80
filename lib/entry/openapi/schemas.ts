import { z } from 'zod';
import type { JsonSchema } from './types';

/**
 * The objects to which no later version of Bili adds members: the API contract says this. All other objects may get more members, so
 * clients must not refuse members that they do not know.
 */
const FIXED: ReadonlySet<string> = new Set(['CreatedBill', 'Webhook', 'WebhookBill', 'Error']);

interface NamedSchema {
  /** Whether the schema describes what a client sends, or what Bili answers. */
  readonly io: 'input' | 'output';
  /** The name of the component if the schema has no title. */
  readonly name: string;
}

/** Collects the schemas of a document. A schema with a title becomes a component of that name. */
export interface SchemaComponents {
  /** Adds a schema as a component. Returns a schema with a `$ref` to that component. */
  readonly add: (schema: z.ZodType, named: NamedSchema) => JsonSchema;
  /** Returns the JSON Schemas of the members of an object. */
  readonly members: (schema: z.ZodObject) => Readonly<Record<string, JsonSchema>>;
  /** Returns all components by name. */
  readonly all: () => Readonly<Record<string, JsonSchema>>;
}

export function createSchemaComponents(): SchemaComponents {
  const components = new Map<string, JsonSchema>();
  return {
    add: (schema, { io, name }) => visit({ title: name, ...toJsonSchema(schema, io) }),
    members(schema) {
      const { properties = {} } = visit(toJsonSchema(schema, 'input'));
      return Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, typeof member === 'boolean' ? {} : member]));
    },
    all: () => Object.fromEntries([...components].sort(([a], [b]) => a.localeCompare(b))),
  };

  /** Moves every schema with a title to the components. */
  function visit(given: JsonSchema): JsonSchema {
    const { title, properties, items, anyOf, ...own } = opened(given);
    const schema = simplify({
      ...own,
      ...(properties && { properties: Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, inside(member)])) }),
      ...(items !== undefined && { items: Array.isArray(items) ? items.map(inside) : inside(items) }),
      ...(anyOf && { anyOf: anyOf.map(visit) }),
    });
    if (schema.additionalProperties === false && !FIXED.has(title ?? '')) delete schema.additionalProperties;
    if (title === undefined) return schema;
    const known = components.get(title);
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) throw new Error(`two different schemas have the title "${title}"`);
    components.set(title, schema);
    return { $ref: `#/components/schemas/${title}` };
  }

  function inside(schema: JsonSchema | boolean): JsonSchema | boolean {
    return typeof schema === 'boolean' ? schema : visit(schema);
  }
}

function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return json;
}

/** Returns an enumeration that allows any other text, too, if `openEnum` declares it. */
function opened(schema: JsonSchema): JsonSchema {
  if (schema['x-open'] !== true) return schema;
  const { 'x-open': _, type, enum: values, ...rest } = schema;
  return { ...rest, anyOf: [{ ...(type && { type }), ...(values && { enum: values }) }, { type: 'string' }] };
}

/** Leaves out members that only describe how zod checks a value, and writes a nullable type in the short form. */
function simplify({ pattern, minimum, maximum, default: fallback, anyOf, ...rest }: JsonSchema): JsonSchema {
  const nullable = anyOf && orNull(anyOf);
  return {
    ...nullable,
    ...(anyOf && !nullable && { anyOf }),
    ...rest,
    ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
    ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
    ...(pattern !== undefined && rest.format !== 'uuid' && { pattern }),
    // zod has the default of a query parameter as text, even if the parameter is a number. So the text is converted to a number.
    ...(fallback !== undefined && { default: rest.type === 'integer' ? Number(fallback) : fallback }),
  };
}

/** Returns one nullable schema for two alternatives: a schema of one type, and null. Returns undefined for other alternatives. */
function orNull([only, none, ...others]: readonly JsonSchema[]): JsonSchema | undefined {
  if (only?.type === undefined || Array.isArray(only.type) || none?.type !== 'null' || others.length > 0) return undefined;
  return { ...only, type: [only.type, 'null'], ...(only.enum && { enum: [...only.enum, null] }) };
}
