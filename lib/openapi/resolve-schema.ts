import type { JsonSchema, OpenApiDocument } from './types';

/** Returns the component to which `$ref` of a schema points, or the schema itself. `nullable` says whether the value may also be null. */
export function resolveSchema(document: OpenApiDocument, schema: JsonSchema): { readonly schema: JsonSchema; readonly nullable: boolean } {
  const { $ref, anyOf } = schema;
  if ($ref !== undefined) {
    const name = $ref.split('/').at(-1) ?? '';
    const component = document.components.schemas[name];
    if (!component) throw new Error(`the description has no schema ${name}`);
    return { schema: component, nullable: false };
  }
  const [only, none] = anyOf ?? [];
  if (anyOf?.length === 2 && only && none?.type === 'null') return { schema: resolveSchema(document, only).schema, nullable: true };
  return { schema, nullable: [schema.type].flat().includes('null') };
}
