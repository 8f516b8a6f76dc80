/** A parsed mail. */
export interface ReadMail {
  /** Returns a decoded header, or an empty string. */
  header(name: string): string;
  readonly text: string;
}

/** Parses the source of a mail with one text part (RFC 5322, 2045, 2047). */
export function readMail(raw: string): ReadMail {
  const end = raw.indexOf('\r\n\r\n');
  const lines = raw
    .slice(0, end)
    .replace(/\r\n(?=[ \t])/g, '')
    .split('\r\n');
  const header = (name: string) => {
    const line = lines.find((one) => one.toLowerCase().startsWith(`${name.toLowerCase()}:`));
    return decodeWords(line?.slice(name.length + 1).trim() ?? '');
  };
  return { header, text: decodeBody(raw.slice(end + 4), header('Content-Transfer-Encoding')).replaceAll('\r\n', '\n') };
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
