/** In a multipart form, text is not encoded. */
export const plain = (text: string): string => text;

/** In a query or form, escapes that the text already contains are not encoded again, so that invalid escapes are tested too. */
export function inQuery(text: string): string {
  return text.replace(/[^\x21-\x7e]|[&+#"<>\\^`{|}]/g, (one) => (one === ' ' ? '+' : encodeURIComponent(one)));
}

export const inPath = encodeURIComponent;

export function inHeader(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').trim();
}

export function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

const BOUNDARY = 'a-boundary-that-no-shape-has';

export const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;

/** Returns the header of a field in a multipart form. */
export function partOf(name: string, more = ''): string {
  return `\r\n--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`;
}

export type Pairs = readonly (readonly [name: string, value: string])[];
type Parts = readonly (readonly [name: string, value: string, more?: string])[];

/** Returns the body of a multipart form. Values are not encoded. */
export function multipart(fields: Parts): string {
  const parts = fields.map(([name, value, more]) => partOf(name, more) + value);
  return `${parts.join('').slice(2)}\r\n--${BOUNDARY}--\r\n`;
}

export const URLENCODED = 'application/x-www-form-urlencoded';

/** Returns the body of a form. Values must be encoded already. */
export function urlencoded(fields: Pairs): string {
  return fields.map(([name, value]) => `${name}=${value}`).join('&');
}
