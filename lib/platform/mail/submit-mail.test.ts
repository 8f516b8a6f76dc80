import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { MailSettings } from '@/lib/platform/config/mail-settings';
import { refusal, testMailServer } from '@/testing/fakes/mail-server';
import { submitMail } from './send-mail';

const server = testMailServer();
const plain = testMailServer({ disabledCommands: ['STARTTLS'] });
const wrapped = testMailServer({ secure: true });

const FROM = { name: 'Bili – malipo', address: 'bili@example.com' };
const LETTER = {
  id: '01a10000-0000-7000-8000-000000000001',
  to: 'asha@example.com',
  subject: 'Seva yako haijibu: “Duka la Mfano” – tafadhali iangalie leo, kabla bili zaidi hazijachelewa kufika kwenu',
  text: 'Habari Asha,\n\n.Nukta ya kwanza haipotei; “alama” hizi pia – hazibadiliki. ✓\n\nBili\n',
  html: '<p>Habari Asha, “alama” hizi – hazibadiliki. ✓</p>\n',
  writtenAt: new Date('2026-11-22T08:00:00Z'),
};
const REQUIRED = { secure: false, requireTLS: true, checkCertificate: true };

const settings = (url: URL): MailSettings => ({ server: url, from: FROM });
const detailOf = async (sending: ReturnType<typeof submitMail>) => {
  const sent = await sending;
  return sent.ok ? `it was sent: ${sent.value}` : sent.error;
};

test('a mail arrives with its headers and both parts unchanged', async () => {
  expect(await submitMail(settings(server.url()), LETTER)).toEqual({ ok: true, value: '250 kept' });
  const [mail, ...others] = server.received;
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ from: 'bili@example.com', to: ['asha@example.com'], text: LETTER.text, html: LETTER.html });
  const headers = ['From', 'To', 'Subject', 'Date', 'Message-ID', 'Auto-Submitted', 'MIME-Version', 'Content-Type', 'X-Mailer', 'Bcc'];
  expect(Object.fromEntries(headers.map((name) => [name, mail?.header(name)]))).toEqual({
    From: 'Bili – malipo <bili@example.com>',
    To: 'asha@example.com',
    Subject: LETTER.subject,
    Date: 'Sun, 22 Nov 2026 08:00:00 +0000',
    'Message-ID': `<${LETTER.id}@example.com>`,
    'Auto-Submitted': 'auto-generated',
    'MIME-Version': '1.0',
    'Content-Type': expect.stringMatching(/^multipart\/alternative; boundary=/),
    'X-Mailer': '',
    Bcc: '',
  });
});

describe('a login', () => {
  test('uses the user and password of the URL', async () => {
    const seen: string[] = [];
    server.behave({ login: (user, password) => seen.push(user, password) });
    expect(await submitMail(settings(server.url('smtp', 'bili%40example.com:p%40ss%20word')), LETTER)).toMatchObject({ ok: true });
    expect(seen).toEqual(['bili@example.com', 'p@ss word']);
    expect(server.received).toMatchObject([{ user: 'bili@example.com' }]);
  });

  test('that is refused is not a final failure, and the error does not contain the password', async () => {
    server.behave({
      login: (_user, password) => {
        throw refusal(535, `not with ${password}`);
      },
    });
    expect(await detailOf(submitMail(settings(server.url('smtp', 'bili:hunter42')), LETTER))).toEqual({
      detail: 'AUTH PLAIN: 535 not with [hidden]',
      final: false,
    });
  });
});

describe('TLS', () => {
  test('an invalid certificate is refused before anything is sent', async () => {
    const logins: string[] = [];
    server.behave({ login: (user) => logins.push(user) });
    const refused = await detailOf(submitMail(settings(server.url('smtp', 'bili:hunter42')), LETTER, { tls: REQUIRED }));
    expect(refused).toMatchObject({ detail: expect.stringMatching(/self-signed certificate/), final: false });
    expect([...logins, ...server.received]).toEqual([]);
  });

  test('nothing is sent to a server without STARTTLS if TLS is required', async () => {
    const logins: string[] = [];
    plain.behave({ login: (user) => logins.push(user) });
    const refused = await detailOf(submitMail(settings(plain.url('smtp', 'bili:hunter42')), LETTER, { tls: REQUIRED }));
    expect(refused).toEqual({ detail: 'STARTTLS: 500 Error: command not recognized', final: false });
    expect([...logins, ...plain.received]).toEqual([]);
  });

  test('smtps checks the certificate of a server on this machine, too', async () => {
    const refused = await detailOf(submitMail(settings(wrapped.url('smtps')), LETTER));
    expect(refused).toMatchObject({ detail: expect.stringMatching(/self-signed certificate/), final: false });
    expect(wrapped.received).toEqual([]);
  });

  test('on this machine, TLS is used with any certificate if the server offers it, and not required otherwise', async () => {
    expect(await submitMail(settings(server.url()), LETTER)).toMatchObject({ ok: true });
    expect(server.received).toMatchObject([{ encrypted: true }]);
    expect(await submitMail(settings(plain.url()), LETTER)).toMatchObject({ ok: true });
    expect(plain.received).toMatchObject([{ encrypted: false }]);
  });
});

test.each([
  [550, true],
  [450, false],
])('a recipient that is refused with %i is a final failure: %j', async (code, final) => {
  server.behave({
    recipient: () => {
      throw refusal(code, 'no Asha here');
    },
  });
  expect(await detailOf(submitMail(settings(server.url()), LETTER))).toMatchObject({
    detail: expect.stringMatching(`^RCPT TO: ${code} .*no Asha here`),
    final,
  });
});

test('a refused sender is not a final failure', async () => {
  server.behave({
    sender: () => {
      throw refusal(550, 'not you');
    },
  });
  expect(await detailOf(submitMail(settings(server.url()), LETTER))).toMatchObject({
    detail: expect.stringMatching(/^MAIL FROM: 550 .*not you/),
    final: false,
  });
});

test('a server that never answers causes a failure at the deadline', async () => {
  const silent = createServer((socket) => socket.on('error', () => undefined)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const address = silent.address();
  const url = new URL(`smtp://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
  expect(await detailOf(submitMail(settings(url), LETTER, { timeoutMs: 50 }))).toEqual({
    detail: 'the mail server did not finish within 0.05 s',
    final: false,
  });
  await once(silent.close(), 'close');
});

test('an unreachable server gives a readable error', async () => {
  expect(await detailOf(submitMail(settings(new URL('smtp://127.0.0.1:1')), LETTER))).toEqual({
    detail: 'connect ECONNREFUSED 127.0.0.1:1',
    final: false,
  });
});
