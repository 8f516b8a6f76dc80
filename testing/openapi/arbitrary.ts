import fc, { type Arbitrary } from 'fast-check';
import { resolveSchema } from '@/lib/entry/openapi/reference';
import type { JsonSchema, OpenApiDocument } from '@/lib/entry/openapi/types';

/** Texts that are often handled wrongly. */
const ODD_TEXTS = [
  '',
  ' ',
  '\0',
  'a\u0000b',
  '\n',
  '\u2028',
  '\ud800',
  'a\udfffb',
  '\ufeff',
  '🧾'.repeat(256),
  'x'.repeat(256),
  "' OR 1=1 --",
  '%00',
  '../..',
  '__proto__',
  'constructor',
  '१२३',
  'null',
  'NaN',
  '-0',
  '1e400',
  '9'.repeat(400),
] as const;

export const oddText: Arbitrary<string> = fc.oneof(fc.constantFrom(...ODD_TEXTS), fc.string({ unit: 'binary', maxLength: 40 }));

/** Any JSON value, and values that JSON.parse makes of unusual numbers. */
const oddValue: Arbitrary<unknown> = fc.oneof(
  oddText,
  fc.constantFrom(null, true, false, 0, -0, -1, 0.001, 1.005, 1e15, 1e308, 5e-324, Number.MAX_SAFE_INTEGER, [], {}, [[]], {
    a: { b: null },
  }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Returns values that a schema allows. */
export function allowedBy(document: OpenApiDocument, schema: JsonSchema | boolean): Arbitrary<unknown> {
  if (typeof schema === 'boolean') return fc.jsonValue({ maxDepth: 2 });
  const { schema: known, nullable } = resolveSchema(document, schema);
  const types = known.type === undefined ? [] : [known.type].flat();
  const typed = types.filter((type) => type !== 'null').map((type) => ofType(document, known, type));
  const alternatives = [...typed, ...(known.anyOf ?? []).map((one) => allowedBy(document, one))];
  if (known.enum) return fc.constantFrom(...known.enum);
  if (known.const !== undefined) return fc.constant(known.const);
  if (alternatives.length === 0) return fc.jsonValue({ maxDepth: 2 });
  return nullable
    ? fc.oneof({ weight: 4, arbitrary: fc.oneof(...alternatives) }, { weight: 1, arbitrary: fc.constant(null) })
    : fc.oneof(...alternatives);
}

function ofType(document: OpenApiDocument, schema: JsonSchema, type: string): Arbitrary<unknown> {
  const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER, minItems = 0, items, additionalProperties } = schema;
  switch (type) {
    case 'integer':
      return fc.integer({ min: minimum, max: maximum });
    case 'number':
      return fc
        .oneof(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 1, max: Math.min(maximum * 100, 1e15) }))
        .map((cents) => cents / 100);
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(Array.isArray(items) || items === undefined ? fc.jsonValue() : allowedBy(document, items), {
        minLength: minItems,
        maxLength: 4,
      });
    case 'object':
      return typeof additionalProperties === 'object'
        ? fc.dictionary(fc.string({ minLength: 1, maxLength: 20 }), allowedBy(document, additionalProperties), { maxKeys: 4 })
        : objectOf(document, schema);
    default:
      return textOf(schema);
  }
}

function objectOf(document: OpenApiDocument, { properties = {}, required = [] }: JsonSchema): Arbitrary<unknown> {
  const members = Object.entries(properties).map(([name, member]) => [name, allowedBy(document, member)] as const);
  return fc.record(Object.fromEntries(members), { requiredKeys: [...required], noNullPrototype: true });
}

function textOf({ pattern, minLength = 0, maxLength = 60, format }: JsonSchema): Arbitrary<string> {
  if (format === 'uuid') return fc.uuid();
  const short = { minLength, maxLength: Math.min(maxLength, 60) };
  if (pattern === undefined) return fc.oneof(fc.string(short), fc.string({ ...short, unit: 'grapheme' }));
  return fc
    .stringMatching(new RegExp(pattern, 'u'))
    .filter((text) => text.length <= maxLength && text.length >= minLength && text.isWellFormed());
}

/** Returns JSON texts that a schema almost allows: with an additional, missing or changed JSON member. A few texts are cut or not JSON. */
export function near(document: OpenApiDocument, schema: JsonSchema): Arbitrary<string> {
  const names = Object.keys(resolveSchema(document, schema).schema.properties ?? {});
  const name = fc.oneof(fc.constantFrom(...names, 'phone', '__proto__'), oddText);
  const changed = fc.tuple(allowedBy(document, schema), name, fc.option(oddValue, { nil: undefined })).map(([value, member, replaced]) => {
    const rest = typeof value === 'object' && value !== null ? Object.entries(value).filter(([own]) => own !== member) : [];
    return JSON.stringify(Object.fromEntries(replaced === undefined ? rest : [...rest, [member, replaced]]));
  });
  return fc.oneof(
    { weight: 8, arbitrary: changed },
    { weight: 1, arbitrary: oddValue.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.tuple(changed, fc.nat(200)).map(([text, length]) => text.slice(0, length)) },
    { weight: 1, arbitrary: oddText },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '[]',
        'null',
        '{"amount":1e400,"reference":"A"}',
        '{"a":1,"a":2}',
        `${'['.repeat(5_000)}`,
        '{"amount":01}',
      ),
    },
  );
}
