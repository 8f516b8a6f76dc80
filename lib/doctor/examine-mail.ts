import { addMs } from '@/lib/core/clock';
import { countUnsentMails } from '@/lib/mail/listing-store';
import { OVERDUE_MS } from '@/lib/mail/rules';
import type { Runtime } from '@/lib/runtime/runtime';
import { type Finding, finding } from './finding';

/** Looks at whether mail is set up, and whether it goes out. What has failed for good is a note; what should have gone is wrong. */
export async function examineMail({ db, clock, settings }: Runtime): Promise<Finding> {
  const { failed, overdue, lastError } = await countUnsentMails(db, addMs(clock(), -OVERDUE_MS));
  const reason = settings.mail ? (lastError ?? 'does a worker run?') : 'SMTP_URL is not set';
  const details = [
    ...(overdue > 0 ? [`overdue: ${overdue}; ${reason}`] : []),
    ...(failed > 0 ? [`failed in the last 30 days: ${failed}; "bili mail list --failed"`] : []),
  ];
  const text = settings.mail
    ? `Mail is set up${details.length === 0 ? ', and none has failed or is overdue' : ', but some did not go out'}.`
    : `Mail is not set up${details.length === 0 ? ': nobody is told anything by e-mail' : ', and some did not go out'}.`;
  return finding('mail', text, details, overdue > 0 ? 'wrong' : 'note');
}
