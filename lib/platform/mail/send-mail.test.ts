import { beforeEach, describe, expect, test, vi } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/platform/core/clock';
import { refusal, testMailServer } from '@/testing/fakes/mail-server';
import { testRuntime } from '@/testing/runtime';
import { listMails } from './listing-store';
import { queueMail } from './queue-mail';
import { MAIL_RETENTION_MS, MAIL_RETRY_MS } from './rules';
import { claimDueMails, MAIL_LEASE_MS, sendMail } from './send-mail';
import { type ClaimedMail, deleteSettledMails } from './store';

const runtime = testRuntime();
const server = testMailServer();
const SECRET_LINK = 'https://pay.example.com/reset?token=kx3Hq-7s_Z81mPw0aaBB';
const BODY = `Fungua ${SECRET_LINK}\n`;
const write = () => ({ subject: 'Badilisha nenosiri', text: BODY });
const MAIL = { kind: 'password_reset', merchantId: null, language: 'sw', write } as const;
const markOf = (name: string) => ({ initial: name.slice(0, 1), fill: '#0b5d3b', onFill: '#ffffff' });

/** Returns the runtime of a worker. Workers share only the database. */
const worker = (login = '') => {
  const mail = { server: server.url('smtp', login), from: { name: 'Bili', address: 'bili@example.com' } };
  return { ...runtime(), settings: { ...runtime().settings, mail } };
};
const queue = (...to: string[]) => queueMail(worker(), { ...MAIL, to }, runtime().db);
const never = () => new AbortController().signal;
const send = (mail: ClaimedMail, signal = never()) => sendMail(worker(), mail, signal, markOf);
const arrived = () => expect.poll(() => server.received.length).toBe(1);
const mails = () => listMails(runtime().db, { failed: false, limit: 100 });
const texts = () => runtime().db.query<{ kept: boolean }>({ text: 'SELECT encrypted_text IS NOT NULL AS kept FROM mail' });

/** Lets one worker send all due mails. Returns how many there were. */
async function work(login?: string): Promise<number> {
  const due = await claimDueMails(worker(login), 100);
  for (const mail of due) await sendMail(worker(login), mail, never(), markOf);
  return due.length;
}

async function onlyClaimed(): Promise<ClaimedMail> {
  const [mail, ...others] = await claimDueMails(worker(), 100);
  if (!mail || others.length > 0) throw new Error('not exactly one was due');
  return mail;
}

beforeEach(async () => {
  vi.restoreAllMocks();
  await runtime().db.query({ text: 'DELETE FROM mail' });
});

test('a mail is sent once, and its text is deleted', async () => {
  await queue('asha@example.com');
  expect(await work()).toBe(1);
  expect(await work()).toBe(0);
  const [sent] = await mails();
  expect(sent).toMatchObject({ state: 'SENT', tries: 1, lastError: null, dueAt: null });
  expect(await texts()).toEqual([{ kept: false }]);
  expect(server.received).toMatchObject([{ to: ['asha@example.com'], text: expect.stringContaining(BODY) }]);
  expect(server.received[0]?.header('Message-ID')).toBe(`<${sent?.id}@example.com>`);
});

test('each of several recipients gets a separate mail', async () => {
  await queue('asha@example.com', 'juma@example.com');
  await work();
  expect(server.received.map(({ to }) => to).toSorted()).toEqual([['asha@example.com'], ['juma@example.com']]);
  expect(server.received.map((mail) => mail.header('To')).toSorted()).toEqual(['asha@example.com', 'juma@example.com']);
});

test('a mail waits while the server is down and is sent when it is up again', async () => {
  await server.down();
  await queue('asha@example.com');
  await work();
  expect(await mails()).toMatchObject([{ state: 'QUEUED', tries: 1, lastError: expect.stringMatching(/^connect ECONNREFUSED/) }]);
  await server.up();
  expect(await work()).toBe(0);
  runtime().advance(MINUTE_MS);
  expect(await work()).toBe(1);
  expect(await mails()).toMatchObject([{ state: 'SENT', tries: 2, lastError: null }]);
  expect(server.received).toHaveLength(1);
});

test('after temporary refusals the mail is tried again; after the last attempt it fails with a log line that does not contain its text', async () => {
  const errors = vi.spyOn(runtime().log, 'error');
  server.behave({
    recipient: () => {
      throw refusal(451, `later, not ${SECRET_LINK}`);
    },
  });
  await queue('asha@example.com');
  for (const pause of MAIL_RETRY_MS) {
    expect(await work()).toBe(1);
    runtime().advance(pause - 1_000);
    expect(await work()).toBe(0);
    runtime().advance(1_000);
  }
  expect(errors).not.toHaveBeenCalled();
  expect(await work()).toBe(1);
  const lastError = expect.stringContaining('later, not https://pay.example.com/reset?token=[hidden]');
  expect(await mails()).toMatchObject([{ state: 'FAILED', tries: MAIL_RETRY_MS.length + 1, lastError }]);
  expect(await texts()).toEqual([{ kept: false }]);
  expect(errors.mock.calls).toEqual([
    [
      expect.objectContaining({ kind: 'password_reset', state: 'FAILED', error: lastError }),
      'mail could not be sent; there will be no further attempt',
    ],
  ]);
  runtime().advance(DAY_MS);
  expect(await work()).toBe(0);
});

test('a permanently refused recipient fails at once and does not delay others', async () => {
  server.behave({
    recipient: (address) => {
      if (address.startsWith('nobody')) throw refusal(550, 'no such person');
    },
  });
  await queue('nobody@example.com', 'asha@example.com');
  await work();
  const found = await mails();
  expect(found.toSorted((a, b) => a.recipient.localeCompare(b.recipient))).toMatchObject([
    { recipient: 'asha@example.com', state: 'SENT' },
    { recipient: 'nobody@example.com', state: 'FAILED', tries: 1, lastError: expect.stringContaining('no such person') },
  ]);
});

test('after a refused login the mail is tried again, because the settings may be corrected; the password is not logged', async () => {
  const warnings = vi.spyOn(runtime().log, 'warn');
  server.behave({
    login: (_user, password) => {
      if (password !== 'right-one') throw refusal(535, `${password} is wrong`);
    },
  });
  await queue('asha@example.com');
  await work('bili:wrong-one');
  expect(await mails()).toMatchObject([{ state: 'QUEUED', tries: 1, lastError: 'AUTH PLAIN: 535 [hidden] is wrong' }]);
  expect(JSON.stringify(warnings.mock.calls)).not.toMatch(/wrong-one|token=kx3/);
  runtime().advance(MINUTE_MS);
  await work('bili:right-one');
  expect(await mails()).toMatchObject([{ state: 'SENT', tries: 2 }]);
});

describe('several workers', () => {
  test('do not send a mail twice', async () => {
    await queue(...Array.from({ length: 30 }, (_, n) => `person-${n}@example.com`));
    const drain = async () => {
      let taken = 0;
      for (let due = await claimDueMails(worker(), 4); due.length > 0; due = await claimDueMails(worker(), 4)) {
        taken += due.length;
        await Promise.all(due.map((mail) => send(mail)));
      }
      return taken;
    };
    const [one, two] = await Promise.all([drain(), drain()]);
    expect(one + two).toBe(30);
    expect(new Set(server.received.flatMap(({ to }) => to)).size).toBe(30);
    expect(server.received).toHaveLength(30);
  });

  test('send the mail of a stopped worker after its lease has expired, and that worker cannot interfere any more', async () => {
    await queue('asha@example.com');
    const acknowledged = Promise.withResolvers<void>();
    server.behave({ acknowledge: () => acknowledged.promise });
    const first = send(await onlyClaimed());
    await arrived();
    runtime().advance(MAIL_LEASE_MS - 1_000);
    expect(await claimDueMails(worker(), 100)).toEqual([]);
    runtime().advance(1_000);

    server.behave({});
    await send(await onlyClaimed());
    expect(await mails()).toMatchObject([{ state: 'SENT', tries: 1 }]);
    acknowledged.resolve();
    await first;
    expect(await mails()).toMatchObject([{ state: 'SENT', tries: 1 }]);
    expect(server.received).toHaveLength(2);
    expect(new Set(server.received.map((mail) => mail.header('Message-ID'))).size).toBe(1);
    expect(new Set(server.received.map((mail) => mail.header('Date'))).size).toBe(1);
  });

  test('leave a mail to the next worker if they are stopped while sending it', async () => {
    await queue('asha@example.com');
    const acknowledged = Promise.withResolvers<void>();
    server.behave({ acknowledge: () => acknowledged.promise });
    const stopping = new AbortController();
    const sending = send(await onlyClaimed(), stopping.signal);
    await arrived();
    stopping.abort();
    await sending;
    acknowledged.resolve();
    expect(await mails()).toMatchObject([{ state: 'QUEUED', tries: 0 }]);
    runtime().advance(MAIL_LEASE_MS);
    server.behave({});
    expect(await work()).toBe(1);
    expect(await mails()).toMatchObject([{ state: 'SENT' }]);
  });
});

test('nothing is claimed while no mail server is set up', async () => {
  await queue('asha@example.com');
  expect(await claimDueMails(runtime(), 100)).toEqual([]);
});

test('sent and failed mails are deleted after 30 days, but queued ones are not', async () => {
  await queue('asha@example.com', 'no address');
  await work();
  await queue('juma@example.com');
  const { db, clock } = runtime();
  const deleteOld = () => deleteSettledMails(db, new Date(clock().getTime() - MAIL_RETENTION_MS));
  runtime().advance(MAIL_RETENTION_MS - HOUR_MS);
  expect(await deleteOld()).toBe(0);
  runtime().advance(HOUR_MS);
  expect(await deleteOld()).toBe(2);
  expect(await mails()).toMatchObject([{ recipient: 'juma@example.com', state: 'QUEUED' }]);
});
