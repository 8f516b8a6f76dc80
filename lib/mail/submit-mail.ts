import { createTransport } from 'nodemailer';
import type { MailSettings } from '@/lib/config/mail-settings';
import { SECOND_MS } from '@/lib/core/clock';
import { fail, ok, type Result } from '@/lib/core/result';
import { isFinalRefusal, messageId, sanitizeAnswer, type TlsRules, tlsRules } from './rules';

/** The time limit for everything: name resolution, connection, TLS, login and all answers. */
export const SUBMIT_TIMEOUT_MS = 30 * SECOND_MS;

interface OutgoingMail {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly writtenAt: Date;
}

export interface SubmitFailure {
  /** The server's answer or the network error, on one line and without secrets. */
  readonly detail: string;
  /** True if the server has refused the mail for good, so that another attempt would get the same answer. */
  readonly final: boolean;
}

interface SubmitOptions {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** The TLS rules. If absent, the rules for the server's URL apply. Tests set other rules. */
  readonly tls?: TlsRules;
}

/** Sends one mail to the mail server and returns the server's answer. Does not throw for errors of the server or the network. */
export async function submitMail(
  { server, from }: MailSettings,
  { id, to, subject, text, writtenAt }: OutgoingMail,
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
      // RFC 3834: prevents out-of-office replies.
      headers: { 'Auto-Submitted': 'auto-generated' },
      xMailer: false,
      signal: signal ? AbortSignal.any([deadline.signal, signal]) : deadline.signal,
    });
    return ok(sanitizeAnswer(response, { server, text }));
  } catch (error) {
    if (deadline.signal.aborted) return fail({ detail: `the mail server did not finish within ${timeoutMs / SECOND_MS} s`, final: false });
    const { message, command, permanent } = read(error);
    return fail({ detail: sanitizeAnswer(message, { server, text }), final: isFinalRefusal(command, permanent) });
  } finally {
    clearTimeout(timer);
  }
}

/** Returns a transport that is used for one mail. */
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

/**
 * Reads an error of Nodemailer 10, as its errors.d.ts declares it: the SMTP command that the server refused, and whether the refusal is
 * permanent. Other errors have only a message.
 */
function read(error: unknown): { message: string; command: string; permanent: boolean } {
  if (!(error instanceof Error)) return { message: String(error), command: '', permanent: false };
  const command = 'command' in error && typeof error.command === 'string' ? error.command : '';
  const answered = 'response' in error && typeof error.response === 'string';
  return {
    message: answered ? `${command}: ${error.response}` : error.message,
    command,
    permanent: 'permanent' in error && error.permanent === true,
  };
}
