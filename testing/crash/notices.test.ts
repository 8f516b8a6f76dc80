// @module-tag full

import { expect, test } from 'vitest';
import { claimNoticeRounds } from '@/lib/backoffice/notices/run-notice-round';
import { NOTICE_DEATHS } from './cases';
import { hasDied, testWorld } from './world';

// The tests start and kill processes, which takes time on a busy machine.
const world = testWorld(0.02);

test('notifications are sent once although workers are killed at every fail point', async () => {
  const { runtime, merchant, start } = world();
  const mail = { server: new URL('smtp://127.0.0.1:1'), from: { name: '', address: 'bili@example.com' } };
  const env = { SMTP_URL: mail.server.href, MAIL_FROM: mail.from.address };
  // Creates the due rows of the table notice_round.
  await claimNoticeRounds({ ...runtime, settings: { ...runtime.settings, mail } }, 1);
  const mails = () => runtime.db.query({ text: "SELECT recipient FROM mail WHERE kind = 'notice_security'" });
  await merchant.key('live');
  for (const death of NOTICE_DEATHS) {
    await hasDied(await start('worker', death, env), death);
    expect(await mails()).toEqual([]);
    // Makes the claimed rows due again, as the end of their leases would.
    await runtime.db.query({ text: 'UPDATE notice_round SET due_at = now()' });
  }
  const worker = await start('worker', null, env);
  await expect.poll(mails, { interval: 50 }).toEqual([{ recipient: merchant.email }]);
  await runtime.db.query({ text: 'UPDATE notice_round SET due_at = now()' });
  await worker.kill('SIGTERM');
  const another = await start('worker', null, env);
  const due = () => runtime.db.query({ text: 'SELECT 1 FROM notice_round WHERE due_at <= now()' });
  await expect.poll(due, { interval: 50 }).toEqual([]);
  await another.kill('SIGTERM');
  expect(await mails()).toHaveLength(1);
});
