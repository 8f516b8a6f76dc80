import { createTransport } from 'nodemailer';
import type { MailSettings } from '@/lib/config/mail-settings';
import { SECOND_MS } from '@/lib/core/clock';
import { fail, ok, type Result } from '@/lib/core/result';
import { isFinal, messageId, presentable, type TlsRules, tlsRules } from './rules';

/** One deadline over the name, connecting, TLS, the login and every answer. */
export const SUBMIT_TIMEOUT_MS = 30 * SECOND_MS;

interface Letter {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly writtenAt: Date;
}

export interface SubmitFailure {
  /** The server's answer, or what kept us from it; on one line, and without secrets. */
  readonly detail: string;
  /** It would answer the same to every further try. */
  readonly final: boolean;
}

interface SubmitOptions {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** What protects the connection; those of the server's address unless told, for tests. */
  readonly tls?: TlsRules;
}

/** Hands one mail to the server. @returns the server's answer. Never throws for what the server or the network does. */
export async function submitMail(
  { server, from }: MailSettings,
  { id, to, subject, text, writtenAt }: Letter,
  { timeoutMs = SUBMIT_TIMEOUT_MS, signal, tls = tlsRules(server) }: SubmitOptions = {},
): Promise<Result<string, SubmitFailure>> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), timeoutMs);
  try {
    const { response } = await transport(server, tls).sendMail({
      from,
      to: { name: '', address: to },
      subject,
      text,
      date: writtenAt,
      messageId: messageId(id, { from }),
      // RFC 3834: nobody's out-of-office note should come back.
      headers: { 'Auto-Submitted': 'auto-generated' },
      xMailer: false,
      signal: signal ? AbortSignal.any([deadline.signal, signal]) : deadline.signal,
    });
    return ok(presentable(response, { server, text }));
  } catch (error) {
    if (deadline.signal.aborted) return fail({ detail: `not done within ${timeoutMs / SECOND_MS} s`, final: false });
    const { said, command, permanent } = read(error);
    return fail({ detail: presentable(said, { server, text }), final: isFinal(command, permanent) });
  } finally {
    clearTimeout(timer);
  }
}

/** A connection for one mail. */
function transport(server: URL, { secure, requireTLS, checkCertificate }: TlsRules) {
  const { hostname, port, username, password } = server;
  return createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    ...(port === '' ? {} : { port: Number(port) }),
    ...(username === '' ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    secure,
    requireTLS,
    tls: { rejectUnauthorized: checkCertificate },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** What Nodemailer (10, errors.d.ts) says of a mail that was not taken: what the server refused and how, or the error. */
function read(error: unknown): { said: string; command: string; permanent: boolean } {
  if (!(error instanceof Error)) return { said: String(error), command: '', permanent: false };
  const command = 'command' in error && typeof error.command === 'string' ? error.command : '';
  const answered = 'response' in error && typeof error.response === 'string';
  return {
    said: answered ? `${command}: ${error.response}` : error.message,
    command,
    permanent: 'permanent' in error && error.permanent === true,
  };
}
