import { isRecord } from '@/lib/core/is-record';
import type { OpenApiDocument } from '@/lib/openapi/types';
import { answerChecker, type SentAnswer } from './check-answer';
import { schemaCompiler } from './compile';
import { operationsOf } from './described-api';
import type { FuzzedRequest } from './requests';

/**
 * Error codes of requests that the schemas allow and Bili refuses: a cursor that Bili never returned, and a prompt for a bill without a
 * number.
 */
const BEYOND_SCHEMAS: ReadonlySet<string> = new Set(['after_invalid', 'mobile_required']);

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
      return [operation.operationId, { operation, method, body, optional: requestBody?.required === false, values }] as const;
    }),
  );

  return (request, answer) => {
    const found = known.get(request.operationId);
    if (!found) throw new Error(`the description has no operation ${request.operationId}`);
    const { operation, method } = found;
    if (answer.status >= 500) return `status ${answer.status}: ${answer.text}`;
    const declared = document.paths[request.path]?.[request.method === 'POST' ? 'post' : 'get'];
    const isKnown = request.method === 'POST' || request.method === 'GET' || request.method === 'HEAD';
    if (!declared || !isKnown) {
      return answer.status === 405 && answer.headers.get('bili-error') === 'method_not_allowed'
        ? null
        : `status ${answer.status} instead of 405`;
    }
    if (request.method !== method) return request.method === 'HEAD' && answer.text === '' ? null : `${request.method} has a body`;
    const [problem] = problemsOf(operation, answer);
    if (problem !== undefined) return problem;
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
