import { deleteOldLinks } from '@/lib/accounts/email-links/link-store';
import { deleteSpentCounters } from '@/lib/accounts/sign-in/throttle-store';
import { deleteExpiredKeys } from '@/lib/bills/create/idempotency-store';
import { DRAFT_RETENTION_MS } from '@/lib/bills/import/import-rules';
import { deleteDrafts } from '@/lib/bills/import/import-run-store';
import { addMs } from '@/lib/core/clock';
import { deleteOldRates } from '@/lib/limits/store';
import { MAIL_RETENTION_MS } from '@/lib/mail/rules';
import { deleteSettledMails } from '@/lib/mail/store';
import { deleteSettledNotices } from '@/lib/outages/notice-store';
import { NOTICE_RETENTION_MS } from '@/lib/outages/rules';
import { deleteOldHeartbeats } from '@/lib/processes/store';
import type { Runtime } from '@/lib/runtime/runtime';

/** Deletes a batch of expired data. Returns whether there may be more. */
export async function deleteOld({ db, clock }: Pick<Runtime, 'db' | 'clock'>): Promise<boolean> {
  const now = clock();
  const deleted = [
    await deleteExpiredKeys(db, now),
    await deleteDrafts(db, addMs(now, -DRAFT_RETENTION_MS)),
    await deleteSettledMails(db, addMs(now, -MAIL_RETENTION_MS)),
    await deleteSettledNotices(db, addMs(now, -NOTICE_RETENTION_MS)),
    await deleteOldHeartbeats(db),
    await deleteSpentCounters(db, now),
    await deleteOldLinks(db, now),
    await deleteOldRates(db),
  ];
  return deleted.some((count) => count > 0);
}
