import { beforeEach, describe, expect, test } from 'vitest';
import { queueMail } from '@/lib/platform/mail/queue-mail';
import { refusal, testMailServer } from '@/testing/fakes/mail-server';
import { startProgram } from '@/testing/process';
import { runCommand } from '@/testing/run-command';
import { TEST_SECRET_KEY, testRuntime } from '@/testing/runtime';

const runtime = testRuntime({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'Bili <bili@example.com>' });
const server = testMailServer();
const env = (login?: string) => ({
  DATABASE_URL: runtime().settings.DATABASE_URL,
  SECRET_KEY: TEST_SECRET_KEY,
  SMTP_URL: server.url('smtp', login).href,
  MAIL_FROM: 'Bili <bili@example.com>',
});
const bili = (...args: readonly string[]) => runCommand(args, env('bili:hunter42'));
const queue = (...to: string[]) =>
  queueMail(
    runtime(),
    { to, kind: 'invitation', merchantId: null, language: 'sw', write: () => ({ subject: 'Mwaliko', text: 'siri-siri-siri-siri\n' }) },
    runtime().db,
  );

beforeEach(() => runtime().db.query({ text: 'DELETE FROM mail' }));

describe('bili mail test', () => {
  test("sends a mail and prints the server's answer", async () => {
    const { code, stdout } = await bili('mail', 'test', '--to', 'asha@example.com');
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'The mail server accepted the mail to asha@example.com: 250 kept\n' });
    expect(server.received).toMatchObject([{ to: ['asha@example.com'], user: 'bili' }]);
    const asJson = await bili('mail', 'test', '--to', 'asha@example.com', '--json');
    expect(JSON.parse(asJson.stdout)).toEqual({ to: 'asha@example.com', answer: '250 kept' });
  });

  test('exits with 1 and the reason if the mail is not accepted', async () => {
    server.behave({
      login: (_user, password) => {
        throw refusal(535, `${password} is wrong.`);
      },
    });
    expect(await bili('mail', 'test', '--to', 'asha@example.com')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The mail was not sent: AUTH PLAIN: 535 [hidden] is wrong.\n',
    });
    expect(await runCommand(['mail', 'test', '--to', 'asha@example.com'], {})).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Mail is not configured. Set SMTP_URL and MAIL_FROM.\n',
    });
  });

  test.each([['asha'], ['asha@example.com\nBcc: b@example.com'], ['a@example.com,b@example.com']])(
    'the recipient %j is a usage error',
    async (to) => {
      expect(await bili('mail', 'test', '--to', to)).toMatchObject({ code: 2, stdout: '' });
    },
  );
});

test('the list shows sent and failed mails without their texts', async () => {
  server.behave({
    recipient: (address) => {
      if (address.startsWith('nobody')) throw refusal(550, 'no such person');
    },
  });
  await queue('asha@example.com', 'nobody@example.com');
  const worker = startProgram(['worker', '--json'], env());
  try {
    await worker.printed('mail sent');
    await worker.printed('mail could not be sent; there will be no further attempt');
  } finally {
    await worker.kill('SIGTERM');
  }
  expect(worker.output()).not.toContain('siri');
  expect(server.received).toMatchObject([{ to: ['asha@example.com'], text: expect.stringMatching(/^siri-siri-siri-siri\n/) }]);

  const all = await bili('mail', 'list');
  expect(all).toMatchObject({ code: 0, stderr: '' });
  expect(all.stdout).toMatch(/SENT {4}asha@example\.com {2}Mwaliko {2}1 attempt\n/);
  const failed = await bili('mail', 'list', '--failed', '--json');
  expect(JSON.parse(failed.stdout)).toMatchObject([
    { recipient: 'nobody@example.com', state: 'FAILED', tries: 1, lastError: expect.stringContaining('no such person') },
  ]);
  expect(all.stdout + failed.stdout).not.toContain('siri');
});

test('an empty list says so', async () => {
  expect(await bili('mail', 'list')).toMatchObject({ code: 0, stdout: 'There is no mail.\n' });
  expect(await bili('mail', 'list', '--failed')).toMatchObject({ code: 0, stdout: 'No mail has failed.\n' });
});
