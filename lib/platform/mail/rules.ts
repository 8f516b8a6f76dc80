import { domainToASCII } from 'node:url';
import type { MailSettings } from '@/lib/platform/config/mail-settings';
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/platform/core/clock';
import { isLoopback } from '@/lib/platform/core/loopback';

/** The pauses between attempts to send a mail, in milliseconds. The last attempt comes about 17 hours after the first. */
export const MAIL_RETRY_MS: readonly number[] = [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS, 4 * HOUR_MS, 12 * HOUR_MS];
/** How long a sent or failed mail is stored. */
export const MAIL_RETENTION_MS = 30 * DAY_MS;
/** A mail that waits longer than this has failed more than once, or no worker runs. */
export const OVERDUE_MS = 15 * MINUTE_MS;

const ERROR_MAX = 500;
/** Shorter words in a mail's text are not considered secret tokens. */
const KEY_LENGTH = 16;

/** Returns when to try again after `tries` failed attempts, or null if no attempt is left. */
export function retryTime(tries: number, now: Date): Date | null {
  const pause = MAIL_RETRY_MS[tries - 1];
  return pause === undefined ? null : addMs(now, pause);
}

/** How the connection to the mail server is protected. */
export interface TlsRules {
  /** TLS from the start of the connection. */
  readonly secure: boolean;
  /** STARTTLS is required. Otherwise it is used if the server offers it. */
  readonly requireTLS: boolean;
  readonly checkCertificate: boolean;
}

/**
 * Returns the TLS rules for an smtp or smtps URL. TLS with a valid certificate is required. Exception: smtp to a server on this
 * machine, because that connection crosses no network, and the certificate of such a server is usually for another name.
 */
export function tlsRules(server: URL): TlsRules {
  const secure = server.protocol === 'smtps:';
  const strict = secure || !isLoopback(server);
  return { secure, requireTLS: strict && !secure, checkCertificate: strict };
}

/** Returns the Message-ID of a mail. It is the same at every attempt, so that mail programs recognise duplicates. */
export function messageId(id: string, { from }: Pick<MailSettings, 'from'>): string {
  const domain = from.address.slice(from.address.indexOf('@') + 1);
  return `<${id}@${domainToASCII(domain) || domain}>`;
}

/**
 * Returns whether a refusal of the mail server is final for this mail. A refusal of the login or the sender is not final, because
 * somebody may correct the settings. `command` is the SMTP command that the server refused. `permanent`: the server answered with 5xx.
 */
export function isFinalRefusal(command: string, permanent: boolean): boolean {
  return permanent && (command === 'RCPT TO' || command === 'DATA');
}

/** Returns a server's answer on one line, without the login and without tokens of the mail's links, which the server may have quoted. */
export function sanitizeAnswer(answer: string, { server, text }: { readonly server: URL; readonly text: string }): string {
  const keys = text.split(/[^\w-]+/).filter((word) => word.length >= KEY_LENGTH);
  return [...loginSecrets(server), ...keys]
    .reduce((cleaned, secret) => cleaned.replaceAll(secret, '[hidden]'), answer)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, ERROR_MAX);
}

/** Returns the password in all forms in which it is sent (RFC 4616 PLAIN, LOGIN), the longest first. */
function loginSecrets({ username, password }: URL): string[] {
  if (password === '') return [];
  const [user, plain] = [decodeURIComponent(username), decodeURIComponent(password)];
  return [...[`\0${user}\0${plain}`, plain].map((text) => Buffer.from(text).toString('base64')), plain];
}
