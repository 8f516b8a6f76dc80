import { codes, table } from './markdown';
import type { ReferenceContext } from './reference-context';
import { resolveSchema } from './resolve-schema';
import type { JsonSchema, OpenApiDocument } from './types';

/** Matches the names of components that belong to one operation. They are shown in the section of that operation. */
const OF_OPERATION = /(?:Request|Response)$/;

/** Returns the names of the objects that have a section of their own. */
export function objectNames({ components }: OpenApiDocument): string[] {
  return Object.entries(components.schemas).flatMap(([name, { properties }]) => (properties && !OF_OPERATION.test(name) ? [name] : []));
}

/**
 * Returns a link to the section of the object that the schema refers to. The schema may also allow null. Returns null if the schema does
 * not refer to an object that has a section.
 */
export function objectLink(document: OpenApiDocument, { $ref, anyOf = [] }: JsonSchema): string | null {
  const [only, none] = anyOf;
  const target = only && none?.type === 'null' ? only.$ref : $ref;
  const name = target?.split('/').at(-1) ?? '';
  return objectNames(document).includes(name) ? `[${name}](#${name.toLowerCase()})` : null;
}

/** Returns a table of the members of an object. Names of members inside others are written with a dot: `customer.name`. */
export function memberTable(context: ReferenceContext, schema: JsonSchema, { showRequired = false } = {}): string {
  const { t } = context;
  return table([t('member'), t('type'), t('meaning')], memberRows(context, schema, showRequired));
}

function memberRows(context: ReferenceContext, schema: JsonSchema, showRequired: boolean, prefix = ''): string[][] {
  const { document } = context;
  const { properties = {}, required = [] } = resolveSchema(document, schema).schema;
  return Object.entries(properties).flatMap(([name, member]) => {
    if (typeof member === 'boolean') return [];
    const resolved = resolveSchema(document, member).schema;
    const row = [`\`${prefix}${name}\``, typeText(context, member, showRequired && required.includes(name)), meaning(context, resolved)];
    return [row, ...(objectLink(document, member) ? [] : memberRows(context, member, showRequired, `${prefix}${name}.`))];
  });
}

/** Returns the type of a schema in words. @param required whether to say that the value is required */
export function typeText(context: ReferenceContext, schema: JsonSchema, required = false): string {
  const { document, t } = context;
  const { schema: resolved, nullable } = resolveSchema(document, schema);
  const { type, items, anyOf } = resolved;
  const alternatives = (schema.anyOf ?? anyOf ?? []).filter(({ type: one }) => one !== 'null').map((one) => typeText(context, one));
  const isList = type === 'array' && typeof items === 'object' && !Array.isArray(items);
  const list = isList ? t('arrayOf', { type: typeText(context, items) }) : undefined;
  const types = type === undefined ? [t('any')] : [type].flat();
  const named = objectLink(document, schema) ?? list;
  const texts = named !== undefined ? [named] : alternatives.length > 0 ? alternatives : types;
  const whole = [...new Set([...texts, ...(nullable ? ['null'] : [])])].join(` ${t('or')} `);
  return required ? t('required', { type: whole }) : whole;
}

/** Returns the description of a schema with its values and limits. */
export function meaning({ translate, t }: ReferenceContext, schema: JsonSchema): string {
  const { description = '', enum: closed, anyOf, const: only, minimum, maximum, maxLength, maxItems, default: fallback } = schema;
  const values = closed ?? anyOf?.find((one) => one.enum)?.enum;
  const named = values?.filter((value) => value !== null) ?? [];
  // Only the maximum of instants is larger than 1e12. The text leaves out that maximum, because readers do not need it.
  const limit = maximum !== undefined && maximum <= 1e12 ? maximum.toLocaleString('en') : undefined;
  const parts = [
    translate(description),
    only === undefined ? '' : t('always', { value: codes([only]) }),
    named.length > 0 ? t('oneOf', { values: codes(named) }) : '',
    maxLength === undefined ? '' : t('atMostCharacters', { count: String(maxLength) }),
    maxItems === undefined ? '' : t('atMostEntries', { count: String(maxItems) }),
    limit === undefined
      ? ''
      : minimum === undefined
        ? t('atMost', { maximum: limit })
        : t('between', { minimum: String(minimum), maximum: limit }),
    fallback === undefined ? '' : t('default', { value: codes([fallback]) }),
  ];
  return parts.filter((text) => text !== '').join(' ');
}
