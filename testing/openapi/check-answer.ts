import type { ValidateFunction } from 'ajv/dist/2020';
import { ERRORS } from '@/lib/entry/http/errors';
import type { ApiResponse, Header, JsonSchema, OpenApiDocument, Operation, Reference } from '@/lib/entry/openapi/types';
import { isFailureCode } from '@/lib/platform/core/failure';
import { isRecord } from '@/lib/platform/core/is-record';
import { schemaCompiler } from './compile';

/** Headers of HTTP itself and of every answer, which the description does not repeat. */
const GENERAL = new Set([
  'cache-control',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
  'vary',
  'content-security-policy',
  'x-content-type-options',
]);

export interface SentAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Returns what the description does not allow in an answer: status, headers, body, and the code and message of an error. */
export type AnswerChecker = (operation: Operation, answer: SentAnswer) => string[];

/** Returns a checker that is stricter than clients should be: it refuses headers and JSON members that the description does not contain. */
export function answerChecker(document: OpenApiDocument): AnswerChecker {
  const compile = schemaCompiler(document, { closed: true });
  const compiled = new Map<JsonSchema, ValidateFunction>();
  const problemsOf = (schema: JsonSchema, value: unknown): string[] => {
    const validate = compiled.get(schema) ?? compile(schema);
    compiled.set(schema, validate);
    return validate(value) ? [] : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || 'the value'} ${message}`);
  };

  return (operation, { status, headers, text }) => {
    const response = operation.responses[status];
    if (!response) return [`status ${status} is not described: ${text}`];
    const schema = response.content?.['application/json'].schema;
    return [
      ...headerProblems(response, headers),
      ...(schema ? problemsOf(schema, JSON.parse(text)) : text === '' ? [] : ['a body is not described']),
      ...(status >= 400 ? errorProblems(headers.get('bili-error'), JSON.parse(text)) : []),
    ];
  };

  function headerProblems({ headers: described = {} }: ApiResponse, sent: Headers): string[] {
    const known = Object.entries(described).map(([name, header]) => [name, resolve(header)] as const);
    const names = new Set(known.map(([name]) => name.toLowerCase()));
    return [
      ...[...sent.keys()].filter((name) => !names.has(name) && !GENERAL.has(name)).map((name) => `the header ${name} is not described`),
      ...known.flatMap(([name, { required, schema }]) => {
        const value = sent.get(name);
        if (value === null) return required ? [`the header ${name} is missing`] : [];
        return problemsOf(schema, schema.type === 'integer' ? Number(value) : value).map((problem) => `${name}: ${problem}`);
      }),
    ];
  }

  function resolve(header: Header | Reference): Header {
    if (!('$ref' in header)) return header;
    const found = document.components.headers[header.$ref.split('/').at(-1) ?? ''];
    if (!found) throw new Error(`${header.$ref} is not described`);
    return found;
  }
}

/** Returns the problems of an error: its code does not exist, or its message is not the message of the code. */
function errorProblems(code: string | null, body: unknown): string[] {
  if (code === null || !isFailureCode(code)) return [`${code} is no code`];
  const [start = '', end] = ERRORS[code].message.split('{}');
  const message = isRecord(body) ? String(body.error) : '';
  const matches = end === undefined ? message === start : message.startsWith(start) && message.endsWith(end);
  return matches ? [] : [`"${message}" is not the message of ${code}`];
}
