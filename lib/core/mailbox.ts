/** Who a mail is from or to: `Bili <bili@example.com>`. */
export interface Mailbox {
  /** Empty when there is none. */
  readonly name: string;
  readonly address: string;
}

/** RFC 5321, 4.5.3.1.3: a path has at most 256 characters with its angle brackets. */
export const EMAIL_MAX = 254;
const ADDRESS = /^[^\s\p{C}@<>()[\]\\,;:"]+@[^\s\p{C}@<>()[\]\\,;:"]+$/u;
const WITH_NAME = /^(?:"(?<quoted>[^"\\\p{C}]+)"|(?<bare>[^"<>\p{C}]*))\s*<(?<address>[^<>]*)>$/u;

/** @returns whether a text can stand as one address in a mail: no line break, nothing that makes it several or something else. */
export function isMailAddress(text: string): boolean {
  return text.length <= EMAIL_MAX && ADDRESS.test(text);
}

/** @returns the mailbox that `Name <address>`, `"Name" <address>` or `address` says; null when the text is none of them. */
export function parseMailbox(text: string): Mailbox | null {
  const { quoted, bare, address = text.trim() } = WITH_NAME.exec(text.trim())?.groups ?? {};
  return isMailAddress(address) ? { name: (quoted ?? bare ?? '').trim(), address } : null;
}
