import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';
import type { JsonSchema, OpenApiDocument } from '@/lib/entry/openapi/types';

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

/**
 * Returns a function that compiles schemas of a document.
 * @param closed true: a JSON member that the schema does not contain is an error. Clients must not be so strict, because later versions of
 *   the API may add members.
 */
export function schemaCompiler(
  document: OpenApiDocument,
  { closed }: { readonly closed: boolean },
): (schema: JsonSchema) => ValidateFunction {
  const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true });
  ajv.addFormat('uuid', UUID);
  ajv.addFormat('uri', (text: string) => URL.canParse(text));
  ajv.addFormat('int64', { type: 'number', validate: Number.isSafeInteger });
  ajv.addFormat('double', { type: 'number', validate: Number.isFinite });
  for (const [name, schema] of Object.entries(document.components.schemas)) ajv.addSchema(prepare(schema), name);
  return (schema) => ajv.compile(prepare(schema));

  function prepare(schema: JsonSchema): JsonSchema {
    const { $ref, properties, items, anyOf, ...rest } = schema;
    return {
      ...rest,
      ...($ref !== undefined && { $ref: $ref.split('/').at(-1) ?? '' }),
      ...(properties && { properties: Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, inside(member)])) }),
      ...(closed && properties && { additionalProperties: rest.additionalProperties ?? false }),
      ...(items !== undefined && !Array.isArray(items) && { items: inside(items) }),
      ...(anyOf && { anyOf: anyOf.map(prepare) }),
    };
  }

  function inside(schema: JsonSchema | boolean): JsonSchema | boolean {
    return typeof schema === 'boolean' ? schema : prepare(schema);
  }
}
