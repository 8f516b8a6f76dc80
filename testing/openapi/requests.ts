import fc, { type Arbitrary } from 'fast-check';
import { SANDBOX_SCENARIO } from '@/lib/entry/openapi/headers';
import type { OpenApiDocument, Parameter } from '@/lib/entry/openapi/types';
import { allowedBy, near, oddText } from './arbitrary';
import { type DescribedOperation, operationsOf } from './described-api';

/** A request that was generated from the description. */
export interface FuzzedRequest {
  readonly operationId: string;
  /** The path template. */
  readonly path: string;
  readonly method: string;
  /** The test's name for a bill that it has created, or another text. The test replaces a name by the id of the bill. */
  readonly bill: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly headers: Readonly<Record<string, string>>;
  /** The name of an API key or of a session that the test has created. */
  readonly key: string;
  readonly body: string | null;
}

/** The names of the bills, API keys and sessions of cashiers that the test has created. */
export interface Named {
  readonly bills: readonly string[];
  readonly keys: readonly string[];
  readonly sessions: readonly string[];
}

const OTHER_METHODS = ['HEAD', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
/** Texts that a header can have. */
const headerText = fc
  .oneof(fc.string({ maxLength: 40 }), fc.constantFrom('', ' ', '\t', 'é', '\u00ff', 'x'.repeat(300)))
  .filter((text) => /^[\t\x20-\x7e\x80-\xff]*$/.test(text));

/** Returns requests of all operations. Most of their values are valid according to the API description. The others are mistakes. */
export function fuzzedRequests(document: OpenApiDocument, named: Named): Arbitrary<FuzzedRequest> {
  return fc.oneof(...operationsOf(document).map((described) => requestsOf(document, described, named)));
}

function requestsOf(
  document: OpenApiDocument,
  { operation, method, path }: DescribedOperation,
  { bills, keys, sessions }: Named,
): Arbitrary<FuzzedRequest> {
  const own = operation.security?.some((scheme) => 'Session' in scheme) ? sessions : keys;
  const { parameters = [], requestBody } = operation;
  const schema = requestBody?.content['application/json'].schema;
  const body = schema
    ? fc.oneof(
        { weight: 3, arbitrary: allowedBy(document, schema).map((value) => JSON.stringify(value)) },
        { weight: 2, arbitrary: near(document, schema) },
        { weight: 1, arbitrary: fc.constant('') },
      )
    : fc.constant(null);
  // The scenario header is left out: it can make the API refuse a valid request, which the fuzzer would report as a defect.
  const valued = (kind: Parameter['in']) => parameters.filter((one) => one.in === kind && one.name !== SANDBOX_SCENARIO.name);
  return fc.record({
    operationId: fc.constant(operation.operationId),
    path: fc.constant(path),
    method: fc.oneof({ weight: 30, arbitrary: fc.constant(method) }, { weight: 1, arbitrary: fc.constantFrom(...OTHER_METHODS) }),
    bill: fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...bills) }, { weight: 1, arbitrary: fc.oneof(fc.uuid(), oddText) }),
    query: fc
      .tuple(...valued('query').map((parameter) => maybe(queryName(parameter), textsOf(document, parameter))))
      .map((pairs) => pairs.flatMap((pair) => (pair ? [pair] : []))),
    headers: fc
      .tuple(...valued('header').map((parameter) => maybe(parameter.name, headersOf(document, parameter))), contentType, contentEncoding)
      .map((pairs) => Object.fromEntries(pairs.flatMap((pair) => (pair ? [pair] : [])))),
    key: fc.oneof({ weight: 10, arbitrary: fc.constantFrom(...own) }, { weight: 1, arbitrary: headerText }),
    body,
  });
}

function maybe(name: string, values: Arbitrary<string>): Arbitrary<readonly [string, string] | null> {
  return fc.option(
    values.map((value) => [name, value] as const),
    { nil: null },
  );
}

function queryName({ name, style }: Parameter): string {
  return style === 'deepObject' ? `${name}[a]` : name;
}

function textsOf(document: OpenApiDocument, { schema, style }: Parameter): Arbitrary<string> {
  if (style === 'deepObject') return oddText.map((text) => text.toWellFormed());
  const texts = fc.oneof({ weight: 3, arbitrary: allowedBy(document, schema).map(String) }, { weight: 1, arbitrary: oddText });
  // An address cannot contain lone surrogates.
  return texts.map((text) => text.toWellFormed());
}

function headersOf(document: OpenApiDocument, { schema }: Parameter): Arbitrary<string> {
  const allowed = allowedBy(document, schema).map(String);
  return fc.oneof({ weight: 3, arbitrary: allowed.filter((text) => /^[\x20-\x7e]*$/.test(text)) }, { weight: 1, arbitrary: headerText });
}

const contentType = fc.oneof(
  { weight: 20, arbitrary: fc.constant(['content-type', 'application/json'] as const) },
  {
    weight: 1,
    arbitrary: maybe(
      'content-type',
      fc.oneof(fc.constantFrom('application/json; charset=utf-8', 'text/plain', 'application/jsonx'), headerText),
    ),
  },
);
const contentEncoding = fc.oneof(
  { weight: 40, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: maybe('content-encoding', fc.constantFrom('identity', 'gzip', 'br')) },
);
