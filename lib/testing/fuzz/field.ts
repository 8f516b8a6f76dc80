import { BODY_SHAPES, HEAD_SHAPES, JSON_SHAPES, LARGE_SHAPES, type Shape } from './shapes';

/** A request as it goes out, byte for byte. */
export interface HttpRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly environment?: 'live' | 'sandbox';
  /** Whether its answer may renew the owner's session. */
  readonly renews?: boolean;
}

/** What bounds a request: requests of one kind are refused above the same size. */
export type Kind =
  | 'head'
  | 'form'
  | 'api body'
  | 'callback'
  | 'pay form'
  | 'sign-in form'
  | 'preferences form'
  | 'import form'
  | 'logo form';

/** A place in a request that takes text from outside. */
export interface Field {
  /** As a failure names it. */
  readonly name: string;
  readonly kind: Kind;
  /** Writes a text the way the field holds it. */
  readonly encode: (text: string) => string;
  /** @param encoded what stands in the field. */
  readonly request: (encoded: string) => HttpRequest;
  /** What stands between two values of this field in one request; absent where it can be there only once. */
  readonly again?: string;
  /** What stands for another field of any name after this one; absent where an earlier field of the form has it. */
  readonly other?: (n: number) => string;
  /** How many values or other fields are accepted; absent where the size alone bounds them. */
  readonly most?: number;
  /** A request that nothing is wrong with, and which must not be refused: else what the field is given might not get as far as its reader. */
  readonly control?: () => HttpRequest;
  /** Whether it is a value of JSON that need not be a string. */
  readonly json?: boolean;
  /**
   * The limit of a form with files, bytes, where trying would take long. Requests are so large that memory costs more than reading,
   * and by no rule: what they cost is judged, and not how it grows.
   */
  readonly large?: number;
}

/** @returns what counts towards a request's limit, bytes. */
export function sizeOf({ path, headers, body }: HttpRequest, kind: Kind): number {
  if (kind !== 'head') return Buffer.byteLength(body ?? '');
  // Node.js adds up the address and the names and values of the headers.
  const sent = { ...headers, ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }) };
  return Object.entries(sent).reduce((sum, [name, value]) => sum + name.length + value.length, path.length);
}

const REPEATED = 'the field many times';
const OTHERS = 'many other fields';

/** @returns the shapes that fit a field. */
export function shapesOf({ kind, again, other, json, large, most = Number.POSITIVE_INFINITY }: Field): readonly Shape[] {
  const many = (name: string, each: number) => ({ name, write: (size: number) => 'a'.repeat(Math.max(0, Math.min(most, size / each))) });
  return [
    ...(json ? JSON_SHAPES : kind === 'head' ? HEAD_SHAPES : large ? LARGE_SHAPES : BODY_SHAPES),
    ...(again === undefined ? [] : [many(REPEATED, again.length + 1)]),
    ...(other === undefined ? [] : [many(OTHERS, other(1).length)]),
  ];
}

/** @returns a request with a shape in a field that is as large as the limit allows, or a part of that. */
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
