import { beforeEach, expect, test } from 'vitest';
import { shopMark } from '@/lib/identity/merchants/brand-rules';
import { MINUTE_MS } from '@/lib/platform/core/clock';
import { queueMail } from '@/lib/platform/mail/queue-mail';
import { claimDueMails, sendMail } from '@/lib/platform/mail/send-mail';
import { testRuntime } from '@/testing/runtime';
import { examineMail } from './examine-work';

/** No mail server runs at the address of SMTP_URL. */
const runtime = testRuntime({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'bili@example.com' });
const withoutServer = () => ({ ...runtime(), settings: { ...runtime().settings, mail: undefined } });
const queue = (to: string) =>
  queueMail(
    runtime(),
    { to: [to], kind: 'sign_up', merchantId: null, language: 'sw', write: () => ({ subject: 'Habari', text: 'x' }) },
    runtime().db,
  );

beforeEach(() => runtime().db.query({ text: 'DELETE FROM mail' }));

test('reports whether mail is set up', async () => {
  expect(await examineMail(runtime())).toEqual({
    level: 'ok',
    name: 'mail',
    text: 'Mail is set up, and none has failed or is overdue.',
    details: [],
  });
  expect(await examineMail(withoutServer())).toEqual({
    level: 'ok',
    name: 'mail',
    text: 'Mail is not set up: Bili sends no e-mail.',
    details: [],
  });
});

test('overdue mail is an error with the reason', async () => {
  await queue('asha@example.com');
  expect(await examineMail(runtime())).toMatchObject({ level: 'ok' });
  runtime().advance(15 * MINUTE_MS);
  expect(await examineMail(runtime())).toMatchObject({
    level: 'wrong',
    text: 'Mail is set up, but some was not sent.',
    details: ['overdue: 1; check that a worker runs'],
  });
  expect(await examineMail(withoutServer())).toMatchObject({ level: 'wrong', details: ['overdue: 1; SMTP_URL is not set'] });
  for (const mail of await claimDueMails(runtime(), 1)) await sendMail(runtime(), mail, new AbortController().signal, shopMark);
  expect(await examineMail(runtime())).toMatchObject({ level: 'wrong', details: ['overdue: 1; connect ECONNREFUSED 127.0.0.1:1'] });
});

test('failed mail is a note', async () => {
  await queue('no address');
  expect(await examineMail(runtime())).toMatchObject({
    level: 'note',
    details: ['failed in the last 30 days: 1; see "bili mail list --failed"'],
  });
});
