import { inJson, plain } from './encodings';
import { BODY_SHAPES, HEAD_SHAPES, JSON_SHAPES, LARGE_SHAPES, type Shape } from './shapes';

/** A request with its exact bytes. */
export interface HttpRequest {
  readonly method: string;
  /** The path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly environment?: 'live' | 'sandbox';
  /** True if the answer can set a new cookie for the owner's session. Later requests must send the new cookie. */
  readonly renews?: boolean;
}

/** The kind of a request. All requests of one kind have the same size limit. */
export type Kind =
  | 'head'
  | 'form'
  | 'api body'
  | 'bulk body'
  | 'callback'
  | 'pay form'
  | 'phone form'
  | 'sign-in form'
  | 'guest form'
  | 'preferences form'
  | 'script form'
  | 'script body'
  | 'import form'
  | 'logo form';

/** A part of a request that contains external text. */
export interface Field {
  /** The name in failure messages. */
  readonly name: string;
  readonly kind: Kind;
  /** Encodes a text so that it can be the content of this field. */
  readonly encode: (text: string) => string;
  /** @param encoded the content of the field. */
  readonly request: (encoded: string) => HttpRequest;
  /** The separator between two values of this field in one request. Missing if the field cannot be repeated. */
  readonly again?: string;
  /** Returns the text of the additional field number `n`, which follows this field. At most one field of a form has this function. */
  readonly other?: (n: number) => string;
  /** The maximum number of repeated values or additional fields in one request. Missing if the request size is the only limit. */
  readonly most?: number;
  /** Returns a valid request. If the server refuses even this request, it may refuse all requests before it parses the field. */
  readonly control?: () => HttpRequest;
  /** Whether the field is a JSON value that need not be a string. */
  readonly json?: boolean;
  /**
   * The size limit of a form with files, bytes. For such forms, the fuzzer does not search for the limit, because the search would take too
   * long. The cost of such large requests varies with the use of memory, so the fuzzer does not judge how fast the cost grows with the
   * size.
   */
  readonly large?: number;
  /** Texts for this field alone, and its own size limit in bytes, which is smaller than the limit of the request. */
  readonly own?: { readonly shapes: readonly Shape[]; readonly most: number };
}

/**
 * The header with the address of the client. The fuzzer sets it in every request, unless it is the field that is tested. All addresses of
 * the fuzzer are equally long.
 */
export const SENDER = 'x-forwarded-for';

/** Returns the bytes that count towards a request's limit. */
export function sizeOf({ path, headers, body }: HttpRequest, kind: Kind): number {
  if (kind !== 'head') return Buffer.byteLength(body ?? '');
  // Node.js limits the sum of the lengths of the URL and of the names and values of all headers, also of the two that are added here.
  const sent = { [SENDER]: '10.100.100.100', ...headers, ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }) };
  return Object.entries(sent).reduce((sum, [name, value]) => sum + name.length + value.length, path.length);
}

const REPEATED = 'the field many times';
const OTHERS = 'many other fields';

/** Returns the shapes for a field. */
export function shapesOf({ kind, again, other, json, large, own, most = Number.POSITIVE_INFINITY }: Field): readonly Shape[] {
  if (own) return own.shapes;
  const many = (name: string, each: number) => ({ name, write: (size: number) => 'a'.repeat(Math.max(0, Math.min(most, size / each))) });
  return [
    ...(json ? JSON_SHAPES : kind === 'head' ? HEAD_SHAPES : large ? LARGE_SHAPES : BODY_SHAPES),
    ...(again === undefined ? [] : [many(REPEATED, again.length + 1)]),
    ...(other === undefined ? [] : [many(OTHERS, other(1).length)]),
  ];
}

/**
 * Returns a request whose field contains a text of the given shape, for example nested brackets. The text fills the space up to the size
 * limit of the request, or only the fraction `part` of this space.
 */
export function fill(field: Field, shape: Shape, { limit, part = 1 }: { readonly limit: number; readonly part?: number }): HttpRequest {
  const room = Math.floor((limit - sizeOf(field.request(''), field.kind)) * part);
  let size = room;
  for (;;) {
    const encoded = encode(field, shape, size);
    const taken = Buffer.byteLength(encoded);
    if (taken <= room || size < 1) return field.request(encoded);
    size = Math.min(size - 1, Math.floor((size * room) / taken));
  }
}

function encode(field: Field, { name, write }: Shape, size: number): string {
  const text = write(size);
  if (name === REPEATED) return [...text].join(field.again);
  if (name === OTHERS) return [...text].map((_, n) => field.other?.(n)).join('');
  return field.encode(text);
}

/** Returns the fields of a JSON body: the whole body, and each member twice, first as a string and then as any other JSON value. */
export function bodyFields(where: string, good: Readonly<Record<string, unknown>>, to: Pick<Field, 'kind' | 'request'>): Field[] {
  return [
    { ...to, name: `${where}: the body`, encode: plain, control: () => to.request(JSON.stringify(good)) },
    ...Object.keys(good).flatMap((name, at) => {
      const { [name]: _, ...rest } = good;
      const around = JSON.stringify(rest).slice(1, -1);
      const body = (value: string) => to.request(`{${around}${around && ','}"${name}":${value}}`);
      const text: Field = {
        ...to,
        name: `${where}: ${name}`,
        encode: inJson,
        again: `","${name}":"`,
        ...(at === 0 && { other: (n: number) => `","a${n}":"b` }),
        request: (encoded) => body(`"${encoded}"`),
      };
      return [text, { ...to, name: `${where}: ${name} (no string)`, encode: plain, json: true, request: body }];
    }),
  ];
}
