import { expect, test } from 'vitest';
import { readSettings } from './settings';

const SECRET = Buffer.alloc(32, 1).toString('base64');

test('the defaults are a valid deployment', () => {
  const read = readSettings({});
  expect(read).toMatchObject({
    ok: true,
    value: {
      PORT: 3000,
      SANDBOX_PORT: 3001,
      METRICS_HOST: '127.0.0.1',
      SIGN_UP: 'invitation',
      MAX_BILL_AMOUNT: 1_000_000_000,
      defaultBaseUrls: true,
    },
  });
  expect(read.ok && read.value.METRICS_PORT).toBeUndefined();
});

test('base addresses use the ports unless they are set', () => {
  const read = readSettings({ PORT: '4000', SANDBOX_PORT: '4001', SANDBOX_BASE_URL: 'https://sandbox.pay.example' });
  if (!read.ok) throw new Error(read.error.join());
  expect(read.value.LIVE_BASE_URL.origin).toBe('http://localhost:4000');
  expect(read.value.SANDBOX_BASE_URL.origin).toBe('https://sandbox.pay.example');
  expect(read.value.defaultBaseUrls).toBe(false);
});

test('OPERATOR_CONTACT may be any text that fits on a line', () => {
  for (const contact of ['0712 345 678', 'help@example.com', 'x'.repeat(100)])
    expect(readSettings({ OPERATOR_CONTACT: ` ${contact} ` })).toMatchObject({ ok: true, value: { OPERATOR_CONTACT: contact } });
  for (const contact of ['0712\n345', '0712\u202e345', '0712\0']) expect(readSettings({ OPERATOR_CONTACT: contact }).ok).toBe(false);
});

test('an empty setting counts as missing', () => {
  const read = readSettings({ PORT: '', DATABASE_URL: ' ' });
  expect(read).toMatchObject({ ok: true, value: { PORT: 3000 } });
  expect(read.ok && read.value.DATABASE_URL).toBeUndefined();
});

test.each([
  [{ PORT: 'abc' }, 'PORT must be a whole number from 1 to 65535, but is "abc".'],
  [{ PORT: '0' }, 'PORT must be a whole number from 1 to 65535, but is "0".'],
  [{ SANDBOX_PORT: '70000' }, 'SANDBOX_PORT must be a whole number from 1 to 65535, but is "70000".'],
  [{ SIGN_UP: 'yes' }, 'SIGN_UP must be invitation or open, but is "yes".'],
  [{ OPERATOR_EMAIL: 'nobody' }, 'OPERATOR_EMAIL must be one e-mail address, for example operator@example.com, but is "nobody".'],
  [{ OPERATOR_EMAIL: 'operator@example.com' }, 'OPERATOR_EMAIL needs SMTP_URL and MAIL_FROM, because Bili sends notices to it by mail.'],
  [{ OPERATOR_WEBHOOK_URL: 'ftp://x.example/secret' }, 'OPERATOR_WEBHOOK_URL must be an http or https address.'],
  [{ SIGN_UP: 'open' }, 'SIGN_UP=open needs SMTP_URL and MAIL_FROM, because new people get a link by mail.'],
  [
    { OPERATOR_CONTACT: 'x'.repeat(101) },
    `OPERATOR_CONTACT must be one line of at most 100 characters, for example 0712 345 678 or help@example.com, but is "${'x'.repeat(101)}".`,
  ],
  [{ PORT: '3001' }, 'PORT and SANDBOX_PORT must differ, but both are 3001.'],
  [{ METRICS_PORT: '3001' }, 'SANDBOX_PORT and METRICS_PORT must differ, but both are 3001.'],
  [{ METRICS_PORT: '9464', WORKER_METRICS_PORT: '9464' }, 'METRICS_PORT and WORKER_METRICS_PORT must differ, but both are 9464.'],
  [{ WORKER_METRICS_PORT: 'on' }, 'WORKER_METRICS_PORT must be a whole number from 1 to 65535, but is "on".'],
  [
    { LIVE_BASE_URL: 'pay.example.com' },
    'LIVE_BASE_URL must be an http or https address without a path, for example https://pay.example.com, but is "pay.example.com".',
  ],
  [
    { SANDBOX_BASE_URL: 'https://x.example/pay' },
    'SANDBOX_BASE_URL must be an http or https address without a path, for example https://pay.example.com, but is "https://x.example/pay".',
  ],
  [
    { LIVE_BASE_URL: 'https://a.example', SANDBOX_BASE_URL: 'https://a.example/' },
    'LIVE_BASE_URL and SANDBOX_BASE_URL must differ, but both are https://a.example.',
  ],
  [
    { TRUSTED_PROXIES: '10.0.0.0/8,proxy' },
    'TRUSTED_PROXIES must be addresses or networks separated by commas, for example 127.0.0.1,10.0.0.0/8, but is "10.0.0.0/8,proxy".',
  ],
  [
    { TRUSTED_PROXIES: '10.0.0.0/33' },
    'TRUSTED_PROXIES must be addresses or networks separated by commas, for example 127.0.0.1,10.0.0.0/8, but is "10.0.0.0/33".',
  ],
  [
    { WEBHOOK_ALLOWED_NETWORKS: 'shop.internal' },
    'WEBHOOK_ALLOWED_NETWORKS must be addresses or networks separated by commas, for example 127.0.0.1,10.0.0.0/8, but is "shop.internal".',
  ],
  [
    { DATABASE_URL: 'mysql://x', SECRET_KEY: SECRET },
    'DATABASE_URL must be a PostgreSQL address, for example postgresql://bili:password@localhost:5432/bili.',
  ],
  [
    { DATABASE_URL: 'postgresql://bili@h1:5432,/bili', SECRET_KEY: SECRET },
    'DATABASE_URL must be a PostgreSQL address, for example postgresql://bili:password@localhost:5432/bili.',
  ],
  [
    { DATABASE_URL: 'postgresql://bili@h1,h2/bili?target_session_attrs=standby', SECRET_KEY: SECRET },
    'DATABASE_URL may only have target_session_attrs=read-write or primary.',
  ],
  [{ MIGRATE_DATABASE_URL: 'postgresql://h/d' }, 'MIGRATE_DATABASE_URL needs DATABASE_URL.'],
  [{ DATABASE_URL: 'postgresql://h/d' }, 'SECRET_KEY is required when DATABASE_URL is set; make one with: openssl rand -base64 32'],
  [{ SECRET_KEY_OTHER: SECRET }, 'SECRET_KEY_OTHER needs SECRET_KEY, which encrypts.'],
  [{ SECRET_KEY: SECRET, SECRET_KEY_OTHER: SECRET }, 'SECRET_KEY and SECRET_KEY_OTHER must differ.'],
  [{ SECRET_KEY: 'short' }, 'SECRET_KEY must be at least 32 random bytes in base64; make one with: openssl rand -base64 32.'],
  [{ LOG_FORMAT: 'xml' }, 'LOG_FORMAT must be one of auto, json, readable, but is "xml".'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of debug, info, warn, error, silent, but is "loud".'],
  [{ MAX_BILL_AMOUNT: '-1' }, 'MAX_BILL_AMOUNT must be a whole number from 1 to 1000000000000, but is "-1".'],
  [{ SANDBOX_DELAY_FACTOR: '2' }, 'SANDBOX_DELAY_FACTOR must be a number from 0.001 to 1, but is "2".'],
  [{ FAILPOINT: 'create.committed' }, 'FAILPOINT kills the process and is for tests: it needs NODE_ENV=test.'],
  [
    { FAILPOINT: 'no.such:2', NODE_ENV: 'test' },
    'FAILPOINT must be the name of a fail point, or a name and which time, for example create.committed:2, but is "no.such:2".',
  ],
  [{ SMTP_URL: 'smtp://localhost:25' }, 'MAIL_FROM is required when SMTP_URL is set, for example Bili <bili@example.com>.'],
  [
    { SMTP_URL: 'smtp://localhost:25', MAIL_FROM: 'Bili' },
    'MAIL_FROM must be one mailbox, for example Bili <bili@example.com>, but is "Bili".',
  ],
  [
    { SMTP_URL: 'smtp://localhost:25', MAIL_FROM: 'a@example.com, b@example.com' },
    'MAIL_FROM must be one mailbox, for example Bili <bili@example.com>, but is "a@example.com, b@example.com".',
  ],
])('%j is refused with an explanation', (env, sentence) => {
  expect(readSettings(env)).toEqual({ ok: false, error: [sentence] });
});

test('a fail point is a name with an optional count', () => {
  const armed = (FAILPOINT: string) => readSettings({ FAILPOINT, NODE_ENV: 'test' });
  expect(armed('create.committed')).toMatchObject({ ok: true, value: { FAILPOINT: { point: 'create.committed', time: 1 } } });
  expect(armed('attempt.claimed:12')).toMatchObject({ ok: true, value: { FAILPOINT: { point: 'attempt.claimed', time: 12 } } });
  expect(armed('attempt.claimed:0')).toMatchObject({ ok: false });
});

test.each([
  'smtp.example.com',
  'https://hunter5:hunter4@smtp.example.com',
  'smtp://',
  'smtp://:25',
  'smtp://smtp.example.com:99999',
  'smtp://smtp.example.com/inbox',
  'smtp://smtp.example.com?tls=off',
  'smtp://hunter5@smtp.example.com',
  'smtp://:hunter4@smtp.example.com',
  'smtp://bili:hunter4%@smtp.example.com',
  'smtp://bili:hunter4%C3%28@smtp.example.com',
  'smtp://bili:hunter/4@smtp.example.com',
  'smtp://bili:hunter4@smtp exämple.com',
])('the mail server %j is refused, and the message does not repeat it', (SMTP_URL) => {
  expect(readSettings({ SMTP_URL, MAIL_FROM: 'bili@example.com' })).toEqual({
    ok: false,
    error: [
      'SMTP_URL must be an smtp or smtps address, for example smtps://user:password@smtp.example.com, with special characters of user and password percent-encoded.',
    ],
  });
});

test.each(['smtp://localhost:25', 'smtps://bili:p%40ss@smtp.example.com', 'smtp://127.0.0.1/', 'smtp://[::1]:2525', 'smtp://mail_relay'])(
  'the mail server %j is taken',
  (SMTP_URL) => {
    expect(readSettings({ SMTP_URL, MAIL_FROM: 'Bili <bili@example.com>' })).toMatchObject({
      ok: true,
      value: { mail: { server: new URL(SMTP_URL), from: { name: 'Bili', address: 'bili@example.com' } } },
    });
  },
);

test('without SMTP_URL, mail is not configured', () => {
  expect(readSettings({ MAIL_FROM: 'bili@example.com' })).toMatchObject({ ok: true, value: { mail: undefined } });
});

test('messages never repeat an invalid secret', () => {
  const read = readSettings({ SECRET_KEY: 'hunter2', DATABASE_URL: 'oops://user:hunter3@host', SMTP_URL: 'smtp://bili:hunter4%@host' });
  expect(JSON.stringify(read)).not.toMatch(/hunter/);
});

test.each([
  [{}, '127.0.0.1'],
  [{ SANDBOX_BASE_URL: 'http://127.0.0.1:4001' }, '127.0.0.1'],
  [{ HOST: '0.0.0.0' }, '0.0.0.0'],
  [{ LIVE_BASE_URL: 'https://pay.example' }, undefined],
])('with %j it listens on %s', (env, host) => {
  expect(readSettings(env)).toMatchObject({ ok: true, value: { HOST: host } });
});
