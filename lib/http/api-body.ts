import { z } from 'zod';
import type { Settings } from '@/lib/config/settings';
import { check } from '@/lib/core/check';
import type { Failure, FailureCode } from '@/lib/core/failure';
import { fail, ok, type Result } from '@/lib/core/result';
import { API_BODY_MAX_BYTES, type ListedNumbers, parseJsonObject } from './body';
import { ignoredHeader, unknownMembers } from './ignored-members';
import type { SentRequest } from './sent-request';

/** The parsed body and Idempotency-Key of a request. */
interface SentBody<Body> {
  readonly body: Body;
  readonly idempotencyKey: string | null;
  /** The names of JSON members in the body that the schema does not contain. They are ignored. */
  readonly unknown: readonly string[];
}

/** How a route reads its body. */
export interface BodyDeclaration<Body> {
  /** Returns the body's schema, which depends on settings. Null if the route reads no body. */
  readonly schema: ((settings: Settings) => z.ZodObject) | null;
  /** Whether the body must be sent. */
  readonly required: boolean;
  readonly maxBytes: number;
  /** The schema of the headers that say how the body is to be treated, such as Idempotency-Key. */
  readonly headers: z.ZodObject;
  /** The failure codes of reading the body, before its members are checked. */
  readonly failures: readonly FailureCode[];
  readonly read: (request: SentRequest, settings: Settings) => Promise<Result<SentBody<Body>, Failure>>;
}

/** The declaration of a route that reads no body. */
export const NO_BODY: BodyDeclaration<null> = {
  schema: null,
  required: false,
  maxBytes: 0,
  headers: z.object({}),
  failures: [],
  read: async () => ok({ body: null, idempotencyKey: null, unknown: [] }),
};

const idempotencyKeySchema = z
  .string()
  .regex(/^[\x20-\x7e]{1,255}$/, { error: 'idempotency_key_malformed' })
  .meta({
    minLength: 1,
    maxLength: 255,
    description: 'Your name for this request, for example the order number, in printable ASCII characters. It makes a retry safe.',
    examples: ['order-1'],
  });
const sentKeySchema = idempotencyKeySchema.nullable();

interface JsonBodyOptions {
  /** Whether a request without a body is handled like a request with an empty object. */
  readonly mayBeEmpty?: boolean;
  /** Whether the request can have an Idempotency-Key. */
  readonly keyed?: boolean;
  readonly maxBytes?: number;
  /** The member that contains a list of objects, and the members of these objects whose numbers become JsonNumbers, too. */
  readonly rows?: ListedNumbers;
}

const KEY_FAILURES: readonly FailureCode[] = ['idempotency_key_malformed'];

/** Declares a JSON object as body. The schema gets each number at the top level as a JsonNumber, which keeps its exact text. */
export function jsonBody<Schema extends z.ZodObject>(
  schema: (settings: Settings) => Schema,
  { mayBeEmpty = false, keyed = true, maxBytes = API_BODY_MAX_BYTES, rows }: JsonBodyOptions = {},
): BodyDeclaration<z.output<Schema>> {
  return {
    schema,
    required: !mayBeEmpty,
    maxBytes,
    headers: z.object(keyed ? { 'Idempotency-Key': idempotencyKeySchema.optional() } : {}),
    failures: [
      'content_type_unsupported',
      'content_encoding_unsupported',
      'body_too_large',
      'body_incomplete',
      ...(keyed ? KEY_FAILURES : []),
      'body_not_json',
      'body_not_object',
    ],
    async read(request, settings) {
      const type = request.headers.get('content-type');
      if (type !== null && !/^\s*application\/json\s*(;|$)/i.test(type)) return fail({ code: 'content_type_unsupported' });
      const encoding = request.headers.get('content-encoding');
      if (encoding !== null && encoding.toLowerCase() !== 'identity') return fail({ code: 'content_encoding_unsupported' });
      const bytes = await request.readBody(maxBytes);
      if (!bytes.ok) return fail({ code: bytes.error });
      const idempotencyKey = check(sentKeySchema, keyed ? request.headers.get('idempotency-key') : null);
      if (!idempotencyKey.ok) return idempotencyKey;
      const members = schema(settings);
      const names = Object.keys(members.shape);
      const json = mayBeEmpty && bytes.value.length === 0 ? ok({}) : parseJsonObject(bytes.value, names, rows);
      if (!json.ok) return fail({ code: json.error });
      const body = check(members, json.value);
      const unknown = unknownMembers(json.value, names);
      return body.ok
        ? ok({ body: body.value, idempotencyKey: idempotencyKey.value, unknown })
        : fail({ ...body.error, headers: ignoredHeader(unknown) });
    },
  };
}
