import type { MailSettings } from '@/lib/config/mail-settings';
import { addMs, SECOND_MS } from '@/lib/core/clock';
import { newId } from '@/lib/core/ids';
import { fail, type Result } from '@/lib/core/result';
import type { Runtime } from '@/lib/runtime/runtime';
import { retryTime } from './rules';
import { type ClaimedMail, claimMails, mailContext, type Settlement, settleMail } from './store';
import { SUBMIT_TIMEOUT_MS, type SubmitFailure, submitMail } from './submit-mail';

/** A lease lasts longer than sending can take, so that it expires only if its worker has stopped. */
export const MAIL_LEASE_MS = SUBMIT_TIMEOUT_MS + 30 * SECOND_MS;

/** Claims due mails. Claims no mail if no mail server is set up. */
export async function claimDueMails({ settings, db, clock }: Runtime, limit: number): Promise<ClaimedMail[]> {
  if (!settings.mail) return [];
  const now = clock();
  return claimMails(db, { now, leaseUntil: addMs(now, MAIL_LEASE_MS), limit });
}

/**
 * Sends one claimed mail and stores the result. If the worker stops before that, the mail is sent again after its lease has
 * expired, with the same Message-ID. `signal` aborts the sending.
 */
export async function sendMail(runtime: Runtime, mail: ClaimedMail, signal: AbortSignal): Promise<void> {
  const { settings, secrets, db, clock, log } = runtime;
  if (!settings.mail) throw new Error('no mail server is set up');
  const { id, recipient, subject, createdAt, kind, merchantId } = mail;
  const text = secrets.decrypt(mail.encryptedText, mailContext(id));
  const sent = await submitMail(settings.mail, { id, to: recipient, subject, text, writtenAt: createdAt }, { signal });
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
  to: string,
): Promise<Result<string, string>> {
  const text = 'This mail was sent by "bili mail test". It has arrived, so Bili can send mail.\n';
  const letter = { id: newId(runtime), to, subject: 'A test mail from Bili', text, writtenAt: runtime.clock() };
  const sent = await submitMail(mail, letter);
  return sent.ok ? sent : fail(sent.error.detail);
}
