import { z } from 'zod';
import { type Mailbox, parseMailbox } from '@/lib/platform/core/mailbox';

export interface MailSettings {
  /** The smtp: or smtps: URL, possibly with user and password. */
  readonly server: URL;
  readonly from: Mailbox;
}

export function mailServer() {
  return z
    .string()
    .transform((text) => URL.parse(text))
    .refine(
      (url) => url !== null && isMailServer(url),
      'must be an smtp or smtps address, for example smtps://user:password@smtp.example.com, with special characters of user and password percent-encoded',
    )
    .transform((url) => url ?? undefined)
    .optional();
}

export function mailFrom() {
  return z
    .string()
    .transform((text) => parseMailbox(text))
    .refine((mailbox) => mailbox !== null, 'must be one mailbox, for example Bili <bili@example.com>')
    .transform((mailbox) => mailbox ?? undefined)
    .optional();
}

function isMailServer({ protocol, hostname, username, password, pathname, search, hash }: URL): boolean {
  const loginComplete = (username === '') === (password === '');
  // The URL class does not validate hosts of schemes that it does not know.
  const host = /^([\w.-]+|\[[\da-f:.]+\])$/i.test(hostname);
  const bare = /^\/?$/.test(pathname) && search === '' && hash === '';
  return /^smtps?:$/.test(protocol) && host && bare && loginComplete && isDecodable(username) && isDecodable(password);
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
