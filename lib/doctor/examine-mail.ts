import { addMs } from '@/lib/core/clock';
import { countUnsentMails } from '@/lib/mail/listing-store';
import { OVERDUE_MS } from '@/lib/mail/rules';
import type { Runtime } from '@/lib/runtime/runtime';
import { type Finding, finding } from './finding';

/** Checks that mail is set up and sent. Overdue mail is an error, failed mail is a note. */
export async function examineMail({ db, clock, settings }: Runtime): Promise<Finding> {
  const { failed, overdue, lastError } = await countUnsentMails(db, addMs(clock(), -OVERDUE_MS));
  const reason = settings.mail ? (lastError ?? 'check that a worker runs') : 'SMTP_URL is not set';
  const details = [
    ...(overdue > 0 ? [`overdue: ${overdue}; ${reason}`] : []),
    ...(failed > 0 ? [`failed in the last 30 days: ${failed}; see "bili mail list --failed"`] : []),
  ];
  const text = settings.mail
    ? `Mail is set up${details.length === 0 ? ', and none has failed or is overdue' : ', but some was not sent'}.`
    : `Mail is not set up${details.length === 0 ? ': Bili sends no e-mail' : ', and some was not sent'}.`;
  return finding('mail', text, details, overdue > 0 ? 'wrong' : 'note');
}
