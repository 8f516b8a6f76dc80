/** A parsed mail. */
export interface ReadMail {
  /** Returns a decoded header, or an empty string. */
  header(name: string): string;
  readonly text: string;
  readonly html: string;
}

/** Parses the source of a mail with a text part and an HTML part (RFC 5322, 2045, 2046, 2047). */
export function readMail(raw: string): ReadMail {
  const { header, body } = readPart(raw);
  const [, boundary = ''] = /boundary="([^"]+)"/.exec(header('Content-Type')) ?? [];
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => readPart(part.slice(2)));
  const [text = '', html = ''] = ['text/plain', 'text/html'].map((type) => {
    const part = parts.find((one) => one.header('Content-Type').startsWith(type));
    // The line break before a boundary belongs to the boundary.
    return part ? decodeBody(part.body, part.header('Content-Transfer-Encoding')).replaceAll('\r\n', '\n').replace(/\n$/, '') : '';
  });
  return { header, text, html };
}

/** Separates the headers of a mail or of one of its parts from its body. */
function readPart(raw: string) {
  const end = raw.indexOf('\r\n\r\n');
  const lines = raw
    .slice(0, end)
    .replace(/\r\n(?=[ \t])/g, '')
    .split('\r\n');
  const header = (name: string) => {
    const line = lines.find((one) => one.toLowerCase().startsWith(`${name.toLowerCase()}:`));
    return decodeWords(line?.slice(name.length + 1).trim() ?? '');
  };
  return { header, body: raw.slice(end + 4) };
}

function decodeWords(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_all, kind: string, word: string) =>
      kind.toLowerCase() === 'b' ? Buffer.from(word, 'base64').toString('latin1') : quoted(word.replaceAll('_', ' ')),
    )
    .replace(/[\x80-\xff]+/g, (bytes) => Buffer.from(bytes, 'latin1').toString('utf8'));
}

function decodeBody(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  if (encoding === 'quoted-printable') return Buffer.from(quoted(body.replace(/=\r\n/g, '')), 'latin1').toString('utf8');
  return Buffer.from(body, 'latin1').toString('utf8');
}

/** Decodes the escapes of quoted-printable, such as `=C3`, to one character for each byte. */
function quoted(text: string): string {
  return text.replace(/=([\dA-F]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
