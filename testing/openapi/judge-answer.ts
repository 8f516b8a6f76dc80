import type { OpenApiDocument } from '@/lib/entry/openapi/types';
import { isRecord } from '@/lib/platform/core/is-record';
import { answerChecker, type SentAnswer } from './check-answer';
import { schemaCompiler } from './compile';
import { operationsOf } from './described-api';
import type { FuzzedRequest } from './requests';

/**
 * Error codes of requests that the schemas allow and Bili refuses: a cursor that Bili never returned, a prompt for a bill without a number,
 * and a shift with cash that nobody counted.
 */
const BEYOND_SCHEMAS: ReadonlySet<string> = new Set(['after_invalid', 'mobile_required', 'count_invalid']);

const METHODS: Readonly<Record<string, 'get' | 'post' | 'delete'>> = { GET: 'get', HEAD: 'get', POST: 'post', DELETE: 'delete' };

/** Returns a function that says what is wrong with the answer to a generated request. That function returns null if nothing is wrong. */
export function answerJudge(document: OpenApiDocument): (request: FuzzedRequest, answer: SentAnswer) => string | null {
  const problemsOf = answerChecker(document);
  const compile = schemaCompiler(document, { closed: false });
  const known = new Map(
    operationsOf(document).map(({ operation, method }) => {
      const { parameters = [], requestBody } = operation;
      const body = requestBody && compile(requestBody.content['application/json'].schema);
      const values = parameters
        .filter(({ in: kind }) => kind !== 'path')
        .map(({ name, schema }) => ({ name, schema, allows: compile(schema) }));
      return [operation.operationId, { method, body, optional: requestBody?.required === false, values }] as const;
    }),
  );

  return (request, answer) => {
    const found = known.get(request.operationId);
    if (!found) throw new Error(`the description has no operation ${request.operationId}`);
    if (answer.status >= 500) return `status ${answer.status}: ${answer.text}`;
    const method = METHODS[request.method];
    const declared = method && document.paths[request.path]?.[method];
    if (!declared) {
      const [status, code] = request.path.startsWith('/api/v2/') ? [410, 'version_gone'] : [405, 'method_not_allowed'];
      return answer.status === status && answer.headers.get('bili-error') === code ? null : `status ${answer.status} instead of ${status}`;
    }
    if (request.method === 'HEAD') return answer.text === '' ? null : 'HEAD has a body';
    const [problem] = problemsOf(declared, answer);
    if (problem !== undefined) return problem;
    // The path has another operation with this method. The rest of the request was not generated for it.
    if (request.method !== found.method) return null;
    const code = answer.headers.get('bili-error') ?? '';
    if (answer.status === 400 && !BEYOND_SCHEMAS.has(code) && isAllowed(request)) return `a request as described is refused: ${code}`;
    // Bili ignores invalid optional members, and names them in this header. `createBills` names them in the result of each bill.
    const named = answer.headers.has('bili-ignored') || request.operationId === 'createBills';
    return answer.status === 200 && !named && !isAllowed(request) ? 'a request that is not as described succeeds' : null;
  };

  /** Returns whether the description allows a request. */
  function isAllowed({ operationId, query, headers, body }: FuzzedRequest): boolean {
    const { body: allowsBody, optional, values } = known.get(operationId) ?? {};
    const sent = new Map([...query, ...Object.entries(headers).map(([name, value]) => [name, value.trim()] as const)]);
    const parametersAllowed = (values ?? []).every(({ name, schema, allows }) => {
      const value = sent.get(name);
      // Bili ignores a malformed X-Request-Id.
      if (value === undefined || name === 'X-Request-Id') return true;
      return allows(schema.type === 'integer' && /^\d+$/.test(value) ? Number(value) : value);
    });
    return parametersAllowed && (!allowsBody || (body === '' ? optional === true : body !== null && isAllowedBody(body, allowsBody)));
  }
}

function isAllowedBody(body: string, allows: (value: unknown) => boolean): boolean {
  // Bili refuses lone surrogates. JSON.stringify writes them as the escapes that this pattern matches. It writes no other characters as
  // such escapes.
  if (/\\u[dD][89a-fA-F]/.test(body) || !body.isWellFormed()) return false;
  try {
    const value: unknown = JSON.parse(body);
    return allows(value) && !hasImpreciseAmount(value);
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/**
 * Returns whether an amount in a body has more than two decimals. The description says in words that Bili refuses it: validators would
 * divide binary fractions for `multipleOf`, so that 4.35 is not a multiple of 0.01.
 */
function hasImpreciseAmount(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasImpreciseAmount);
  if (!isRecord(value)) return false;
  return Object.entries(value).some(([name, member]) =>
    name === 'amount' && typeof member === 'number' ? !hasTwoDecimals(member) : hasImpreciseAmount(member),
  );
}

/** Returns whether a number has at most two decimals when it is written as in JSON. */
function hasTwoDecimals(value: number): boolean {
  const [digits, exponent = '0'] = String(value).split('e');
  return Number.isInteger(Number(`${digits}e${Number(exponent) + 2}`));
}
