import { createTransport } from 'nodemailer';
import type { MailSettings } from '@/lib/platform/config/mail-settings';
import { addMs, SECOND_MS } from '@/lib/platform/core/clock';
import { newId } from '@/lib/platform/core/ids';
import { fail, ok, type Result } from '@/lib/platform/core/result';
import { refuseOnHold } from '@/lib/platform/hold/hold';
import type { Runtime } from '@/lib/platform/runtime/runtime';
import { mailHtml, type SenderMark } from './mail-html';
import { isFinalRefusal, messageId, retryTime, sanitizeAnswer, type TlsRules, tlsRules } from './rules';
import { type ClaimedMail, claimMails, mailContext, type Settlement, settleMail } from './store';

/** The time limit for everything: name resolution, connection, TLS, login and all answers. */
const SUBMIT_TIMEOUT_MS = 30 * SECOND_MS;

/** A lease lasts longer than sending can take, so that it expires only if its worker has stopped. */
export const MAIL_LEASE_MS = SUBMIT_TIMEOUT_MS + 30 * SECOND_MS;

/** Claims due mails. Claims no mail if no mail server is set up. */
export async function claimDueMails({ settings, db, clock }: Runtime, limit: number): Promise<ClaimedMail[]> {
  if (!settings.mail) return [];
  const now = clock();
  return claimMails(db, { now, leaseUntil: addMs(now, MAIL_LEASE_MS), limit });
}

/** Returns the mark of a sender without a logo. @param brandColour the colour that the sender chose, as `#rrggbb`. */
type MarkOf = (name: string, brandColour: string | null) => Omit<SenderMark, 'name'>;

/**
 * Sends one claimed mail and stores the result. If the worker stops before that, the mail is sent again after its lease has
 * expired, with the same Message-ID. @param signal aborts the sending.
 */
export async function sendMail(runtime: Runtime, mail: ClaimedMail, signal: AbortSignal, markOf: MarkOf): Promise<void> {
  const { settings, secrets, db, clock, log } = runtime;
  if (!settings.mail) throw new Error('no mail server is set up');
  const { id, recipient, subject, createdAt, kind, merchantId } = mail;
  const text = secrets.decrypt(mail.encryptedText, mailContext(id));
  const name = mail.merchantName ?? settings.OPERATOR_NAME ?? 'Bili';
  const sender = { name, ...markOf(name, mail.brandColour) };
  const html = mailHtml({ subject, text, sender, base: settings.LIVE_BASE_URL });
  const sent = await submitMail(settings.mail, { id, to: recipient, subject, text, html, writtenAt: createdAt }, { signal });
  if (!sent.ok && signal.aborted) return;

  const now = clock();
  const settlement: Settlement = sent.ok ? { state: 'SENT' } : afterFailure(sent.error, mail.tries + 1, now);
  const settled = await settleMail(db, mail, settlement, now);
  const facts = { mailId: id, kind, merchantId, tries: mail.tries + 1, state: settlement.state };
  if (!settled) log.warn(facts, 'the lease expired while the mail was sent; another worker has it now');
  else if (sent.ok) log.info(facts, 'mail sent');
  else if (settlement.state === 'FAILED')
    log.error({ ...facts, error: sent.error.detail }, 'mail could not be sent; there will be no further attempt');
  else log.warn({ ...facts, error: sent.error.detail }, 'mail not sent; it will be tried again');
}

function afterFailure({ detail, final }: SubmitFailure, tries: number, now: Date): Settlement {
  const dueAt = final ? null : retryTime(tries, now);
  return dueAt ? { state: 'QUEUED', dueAt, error: detail } : { state: 'FAILED', error: detail };
}

/** Sends a test mail at once, without the queue, to check the settings. Returns the server's answer, or why there is none. */
export async function sendTestMail(
  runtime: Pick<Runtime, 'clock' | 'random'>,
  mail: MailSettings,
  { to, base, markOf }: { readonly to: string; readonly base: URL; readonly markOf: MarkOf },
): Promise<Result<string, string>> {
  const subject = 'A test mail from Bili';
  const text = 'This mail was sent by "bili mail test". It has arrived, so Bili can send mail.\n';
  const html = mailHtml({ subject, text, sender: { name: 'Bili', ...markOf('Bili', null) }, base });
  const sent = await submitMail(mail, { id: newId(runtime), to, subject, text, html, writtenAt: runtime.clock() });
  return sent.ok ? sent : fail(sent.error.detail);
}

interface OutgoingMail {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same as `text`, as HTML. */
  readonly html: string;
  readonly writtenAt: Date;
}

interface SubmitFailure {
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

/**
 * Sends one mail to the mail server and returns the server's answer. Does not throw for errors of the server or the network. Throws OnHold
 * while the copy of the database is on hold.
 */
export async function submitMail(
  { server, from }: MailSettings,
  { id, to, subject, text, html, writtenAt }: OutgoingMail,
  { timeoutMs = SUBMIT_TIMEOUT_MS, signal, tls = tlsRules(server) }: SubmitOptions = {},
): Promise<Result<string, SubmitFailure>> {
  refuseOnHold();
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), timeoutMs);
  try {
    const { response } = await transport(server, tls).sendMail({
      from,
      to: { name: '', address: to },
      subject,
      text,
      html,
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
