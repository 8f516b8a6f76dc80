import { beforeEach, expect, test } from 'vitest';
import { testRuntime } from '@/testing/runtime';
import { listMails } from './listing-store';
import { queueMail } from './queue-mail';

const plain = testRuntime();
const runtime = testRuntime({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'Bili <bili@example.com>' });
const written = { subject: 'Mwaliko', text: 'siri-siri-siri-siri\n' };
const MAIL = { kind: 'invitation', merchantId: null, language: 'sw', write: () => written } as const;
const mails = (of = runtime) => listMails(of().db, { failed: false, limit: 100 });

beforeEach(() => runtime().db.query({ text: 'DELETE FROM mail' }));

test('a mail is queued only if the transaction commits', async () => {
  const changing = runtime().db.transaction(async (tx) => {
    await queueMail(runtime(), { ...MAIL, to: ['asha@example.com'] }, tx);
    throw new Error('it did not happen');
  });
  await expect(changing).rejects.toThrow('it did not happen');
  expect(await mails()).toEqual([]);
  await runtime().db.transaction((tx) => queueMail(runtime(), { ...MAIL, to: ['asha@example.com'] }, tx));
  expect(await mails()).toMatchObject([
    { state: 'QUEUED', recipient: 'asha@example.com', subject: 'Mwaliko', kind: 'invitation', tries: 0 },
  ]);
});

test('without a mail server, nothing is stored', async () => {
  await queueMail(plain(), { ...MAIL, to: ['asha@example.com'] }, plain().db);
  expect(await mails(plain)).toEqual([]);
});

test('the text is encrypted in the database', async () => {
  await queueMail(runtime(), { ...MAIL, to: ['asha@example.com'] }, runtime().db);
  const [row] = await runtime().db.query<{ line: string; text: Buffer }>({
    text: 'SELECT m::text AS line, encrypted_text AS text FROM mail m',
  });
  expect(row?.line).not.toContain('siri');
  expect(row?.text.toString('latin1')).not.toContain('siri');
});

test.each(['two\r\nBcc: all@example.com', 'two\nlines', 'two\u2028lines', 'bell\u0007'])(
  'the subject %j with control characters is refused',
  async (subject) => {
    await expect(
      queueMail(runtime(), { ...MAIL, write: () => ({ ...written, subject }), to: ['asha@example.com'] }, runtime().db),
    ).rejects.toThrow('the subject of a mail');
    expect(await mails()).toEqual([]);
  },
);

test('a mail to an invalid address is stored as failed, and the others are queued', async () => {
  const wrong = ['asha@example.com\r\nBcc: all@example.com', 'asha@example.com, all@example.com', 'Asha <asha@example.com>', 'asha'];
  await queueMail(runtime(), { ...MAIL, to: [...wrong, 'juma@example.com'] }, runtime().db);
  const found = await mails();
  const inState = (state: string) => found.filter((mail) => mail.state === state).map(({ recipient }) => recipient);
  expect(inState('FAILED').toSorted()).toEqual(wrong.toSorted());
  expect(inState('QUEUED')).toEqual(['juma@example.com']);
  expect(found.find(({ recipient }) => recipient === 'asha')).toMatchObject({
    tries: 0,
    lastError: 'the e-mail address of the recipient is invalid',
    dueAt: null,
  });
});
