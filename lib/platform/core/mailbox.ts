/** The sender or recipient of a mail: `Bili <bili@example.com>`. */
export interface Mailbox {
  /** Empty if there is no name. */
  readonly name: string;
  readonly address: string;
}

/** RFC 5321, 4.5.3.1.3: a path has at most 256 characters with its angle brackets. */
export const EMAIL_MAX = 254;
const ADDRESS = /^[^\s\p{C}@<>()[\]\\,;:"]+@[^\s\p{C}@<>()[\]\\,;:"]+$/u;
const WITH_NAME = /^(?:"(?<quoted>[^"\\\p{C}]+)"|(?<bare>[^"<>\p{C}]*))\s*<(?<address>[^<>]*)>$/u;

/**
 * Returns whether a text is exactly one e-mail address. Line breaks and separators are refused, because they could add recipients or
 * headers.
 */
export function isMailAddress(text: string): boolean {
  return text.length <= EMAIL_MAX && ADDRESS.test(text);
}

/** Parses `Name <address>`, `"Name" <address>` or `address`. Returns null for anything else. */
export function parseMailbox(text: string): Mailbox | null {
  const { quoted, bare, address = text.trim() } = WITH_NAME.exec(text.trim())?.groups ?? {};
  return isMailAddress(address) ? { name: (quoted ?? bare ?? '').trim(), address } : null;
}
