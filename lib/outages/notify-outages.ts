import { addMs } from '@/lib/core/clock';
import { newId } from '@/lib/core/ids';
import type { Connection } from '@/lib/db/database';
import { queueMail } from '@/lib/mail/queue-mail';
import type { Runtime } from '@/lib/runtime/runtime';
import { insertNotice } from './notice-store';
import { DOWN_AFTER_MS, describeOutage, type Outage, writeOutage } from './rules';
import { markDown, markUp } from './store';

type Needs = Pick<Runtime, 'db' | 'clock' | 'random' | 'log' | 'settings' | 'secrets'>;

/**
 * Detects provider accounts that have stopped answering or answer again, and notifies the operator once of each change: by a log line,
 * and by mail and webhook if they are configured. Any number of workers may run it at the same time.
 */
export async function notifyOutages(runtime: Needs): Promise<void> {
  const now = runtime.clock();
  const changed = await runtime.db.transaction(async (tx) => {
    const outages = [...(await markDown(tx, addMs(now, -DOWN_AFTER_MS))), ...(await markUp(tx))];
    for (const outage of outages) await notifyOperator(runtime, tx, outage, now);
    return outages;
  });
  for (const { id, label, provider, environment, networks, merchant, since, error } of changed) {
    const about = { account: id, label, provider, environment, networks, merchant, since };
    if (error === null) runtime.log.warn(about, 'a provider account answers again');
    else runtime.log.warn({ ...about, error }, 'a provider account does not answer');
  }
}

async function notifyOperator(runtime: Needs, tx: Connection, outage: Outage, now: Date): Promise<void> {
  const { OPERATOR_EMAIL: email, OPERATOR_WEBHOOK_URL: url } = runtime.settings;
  if (email) await queueMail(runtime, { ...writeOutage(outage, now), to: [email], kind: 'provider_outage', merchantId: null }, tx);
  if (!url) return;
  const id = newId(runtime);
  await insertNotice(tx, id, describeOutage(id, outage, now), now);
}
