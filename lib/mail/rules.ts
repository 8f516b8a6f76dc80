import { domainToASCII } from 'node:url';
import type { MailSettings } from '@/lib/config/mail-settings';
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/core/clock';
import { isLoopback } from '@/lib/core/loopback';

/** Pause before each further try, milliseconds: the last one comes some 17 hours after the first. */
export const RETRY_MS: readonly number[] = [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS, 4 * HOUR_MS, 12 * HOUR_MS];
/** How long a mail that was sent or given up is remembered. */
export const KEPT_MS = 30 * DAY_MS;
/** A mail that waits for longer has failed more than once, or no worker runs. */
export const OVERDUE_MS = 15 * MINUTE_MS;

const ERROR_MAX = 500;
/** What is shorter is a word, not a key. */
const KEY_LENGTH = 16;

/** @param tries how many failed so far. @returns when to try again, or null when it is given up. */
export function nextTry(tries: number, now: Date): Date | null {
  const pause = RETRY_MS[tries - 1];
  return pause === undefined ? null : addMs(now, pause);
}

/** How the connection to a mail server is protected. */
export interface TlsRules {
  /** TLS from the first byte. */
  readonly secure: boolean;
  /** Nothing is said before STARTTLS; otherwise it is used where the server offers it. */
  readonly requireTLS: boolean;
  readonly checkCertificate: boolean;
}

/**
 * @param server an smtp or smtps address. @returns TLS always, with a certificate that holds; but over plain smtp nothing is asked
 *   of a server on this machine, for nothing crosses a network, and its certificate is mostly for another name.
 */
export function tlsRules(server: URL): TlsRules {
  const secure = server.protocol === 'smtps:';
  const strict = secure || !isLoopback(server);
  return { secure, requireTLS: strict && !secure, checkCertificate: strict };
}

/** @returns the Message-ID of a mail: the same at every try, so that one that arrives twice is recognised. */
export function messageId(id: string, { from }: Pick<MailSettings, 'from'>): string {
  const domain = from.address.slice(from.address.indexOf('@') + 1);
  return `<${id}@${domainToASCII(domain) || domain}>`;
}

/**
 * Whether a server's refusal is about this mail, for good. One of the login or of the sender is about the settings, which
 * somebody may put right. @param command what the server refused. @param permanent whether it answered with 5xx.
 */
export function isFinal(command: string, permanent: boolean): boolean {
  return permanent && (command === 'RCPT TO' || command === 'DATA');
}

/** @returns a server's answer on one line, without what it may have quoted of the login or of the mail's links. */
export function presentable(answer: string, { server, text }: { readonly server: URL; readonly text: string }): string {
  const keys = text.split(/[^\w-]+/).filter((word) => word.length >= KEY_LENGTH);
  return [...loginSecrets(server), ...keys]
    .reduce((cleaned, secret) => cleaned.replaceAll(secret, '[hidden]'), answer)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, ERROR_MAX);
}

/** @returns the password in every form in which it is sent (RFC 4616 PLAIN, LOGIN), the longest first. */
function loginSecrets({ username, password }: URL): string[] {
  if (password === '') return [];
  const [user, plain] = [decodeURIComponent(username), decodeURIComponent(password)];
  return [...[`\0${user}\0${plain}`, plain].map((text) => Buffer.from(text).toString('base64')), plain];
}
