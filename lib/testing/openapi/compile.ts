import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';
import type { JsonSchema, OpenApiDocument } from '@/lib/openapi/types';

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

/**
 * Returns a function that compiles schemas of a document.
 * @param closed whether an object with a member that its schema does not have is an error, although later versions may add members
 */
export function schemaCompiler(
  document: OpenApiDocument,
  { closed }: { readonly closed: boolean },
): (schema: JsonSchema) => ValidateFunction {
  // Divisions by 0.01 are not exact in binary fractions.
  const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true, allErrors: false, multipleOfPrecision: 6 });
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
