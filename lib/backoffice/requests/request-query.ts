import type { RequestFilter } from './request-store';

/** The filter form of the request log, as in the URL. An empty field does not filter. */
export interface RequestQuery {
  /** One of {@link STATUS_CLASSES}, or `errors` for all failed requests. */
  readonly status: string;
  readonly path: string;
  readonly key: string;
  /** The beginning of a request id. */
  readonly request: string;
}

const STATUS_CLASSES = ['2xx', '4xx', '5xx'] as const;
export const STATUS_CHOICES = ['errors', ...STATUS_CLASSES] as const;

const TEXT_MAX = 200;

/** Returns the form fields in a URL. @param read returns a query parameter. */
export function requestQuery(read: (name: string) => string | null): RequestQuery {
  const text = (name: keyof RequestQuery) => read(name)?.slice(0, TEXT_MAX).replaceAll('\u0000', '').trim() ?? '';
  return { status: text('status'), path: text('path'), key: text('key'), request: text('request') };
}

/** Parses the form fields. Unknown options do not filter. */
export function requestFilter({ status, path, key, request }: RequestQuery): RequestFilter {
  const known = STATUS_CLASSES.find((one) => one === status);
  const statusClass = known ? Number(known[0]) : null;
  return { failed: status === 'errors', statusClass, path: path || null, keyId: key || null, requestId: request || null };
}
