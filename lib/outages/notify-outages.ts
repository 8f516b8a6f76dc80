import { addMs } from '@/lib/core/clock';
import { newId } from '@/lib/core/ids';
import type { Connection } from '@/lib/db/database';
import { queueMail } from '@/lib/mail/queue-mail';
import type { Runtime } from '@/lib/runtime/runtime';
import { insertNotice } from './notice-store';
import { DOWN_AFTER_MS, describeOutage, type Outage, REFUSED_AT_LEAST_MS, writeOutage } from './rules';
import { makeQueriesDue, markAccepted, markDown, markRefused, markUp } from './store';

type Needs = Pick<Runtime, 'db' | 'clock' | 'random' | 'log' | 'settings' | 'secrets'>;

/**
 * Detects four changes of a provider account: it no longer answers, it answers again, its provider refuses the owner, and its provider
 * accepts the owner again. Notifies the operator once of each change: by a log line, and by mail and webhook if they are configured. After
 * an outage or refusals, the status queries of the account's open attempts become due at once. Workers may call this at the same time.
 */
export async function notifyOutages(runtime: Needs): Promise<void> {
  const now = runtime.clock();
  const changed = await runtime.db.transaction(async (tx) => {
    const outages = [...(await markDown(tx, addMs(now, -DOWN_AFTER_MS))), ...(await markUp(tx))].map(toOutage('outage'));
    const refusals = [...(await markRefused(tx, now)), ...(await markAccepted(tx, addMs(now, -REFUSED_AT_LEAST_MS)))];
    outages.push(...refusals.map(toOutage('refusal')));
    const ended = outages.flatMap(({ id, error }) => (error === null ? [id] : []));
    await makeQueriesDue(tx, ended, now);
    for (const outage of outages) await notifyOperator(runtime, tx, outage, now);
    return outages;
  });
  for (const { kind, id, label, provider, environment, networks, merchant, since, error } of changed) {
    const about = { account: id, label, provider, environment, networks, merchant, since };
    const { begin, end } = LOG_LINES[kind];
    if (error === null) runtime.log.warn(about, end);
    else runtime.log.warn({ ...about, error }, begin);
  }
}

const LOG_LINES = {
  outage: { begin: 'a provider account does not answer', end: 'a provider account answers again' },
  refusal: { begin: 'a provider account is refused by its provider', end: 'a provider account is accepted by its provider again' },
} as const;

/** Returns a function that adds the kind to a change of an account. */
function toOutage(kind: Outage['kind']): (change: Omit<Outage, 'kind'>) => Outage {
  return (change) => ({ kind, ...change });
}

async function notifyOperator(runtime: Needs, tx: Connection, outage: Outage, now: Date): Promise<void> {
  const { OPERATOR_EMAIL: email, OPERATOR_WEBHOOK_URL: url } = runtime.settings;
  if (email) await queueMail(runtime, { ...writeOutage(outage, now), to: [email], kind: 'provider_outage', merchantId: null }, tx);
  if (!url) return;
  const id = newId(runtime);
  await insertNotice(tx, id, describeOutage(id, outage, now), now);
}
