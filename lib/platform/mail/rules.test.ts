import { expect, test } from 'vitest';
import { MINUTE_MS } from '@/lib/platform/core/clock';
import { isFinalRefusal, MAIL_RETRY_MS, messageId, retryTime, sanitizeAnswer, tlsRules } from './rules';

test.each([
  ['smtps://smtp.example.com', { secure: true, requireTLS: false, checkCertificate: true }],
  ['smtps://127.0.0.1', { secure: true, requireTLS: false, checkCertificate: true }],
  ['smtp://smtp.example.com', { secure: false, requireTLS: true, checkCertificate: true }],
  ['smtp://10.0.0.1:25', { secure: false, requireTLS: true, checkCertificate: true }],
  ['smtp://localhost.example.com', { secure: false, requireTLS: true, checkCertificate: true }],
  ['smtp://127.0.0.1.example.com', { secure: false, requireTLS: true, checkCertificate: true }],
  ['smtp://localhost:25', { secure: false, requireTLS: false, checkCertificate: false }],
  ['smtp://127.0.0.1:25', { secure: false, requireTLS: false, checkCertificate: false }],
  ['smtp://[::1]:25', { secure: false, requireTLS: false, checkCertificate: false }],
])('%s is protected by %j', (address, rules) => {
  expect(tlsRules(new URL(address))).toEqual(rules);
});

test('retries come after 1, 5 and 15 minutes, and 1, 4 and 12 hours; then there are no more', () => {
  const now = new Date('2026-11-22T08:00:00Z');
  const pauses = [1, 2, 3, 4, 5, 6].map((tries) => ((retryTime(tries, now)?.getTime() ?? 0) - now.getTime()) / MINUTE_MS);
  expect(pauses).toEqual([1, 5, 15, 60, 240, 720]);
  expect(retryTime(MAIL_RETRY_MS.length + 1, now)).toBeNull();
});

test.each([
  ['RCPT TO', true, true],
  ['DATA', true, true],
  ['RCPT TO', false, false],
  ['MAIL FROM', true, false],
  ['AUTH PLAIN', true, false],
  ['', true, false],
])('a refusal of %j, permanent: %j, is final: %j', (command, permanent, final) => {
  expect(isFinalRefusal(command, permanent)).toBe(final);
});

test.each([
  ['bili@example.com', '<01a1@example.com>'],
  ['bili@dükani.example', '<01a1@xn--dkani-kva.example>'],
  ['root@localhost', '<01a1@localhost>'],
])('the Message-ID of a mail from %s is %s', (address, id) => {
  expect(messageId('01a1', { from: { name: 'Bili', address } })).toBe(id);
});

test('an answer is one line, without what it quotes of the login and of the links', () => {
  const server = new URL('smtps://bili:hunter%2042@smtp.example.com');
  const text = 'Open https://pay.example.com/reset?token=kx3Hq-7s_Z81mPw0aaBB now, please.';
  const plain = Buffer.from('\0bili\0hunter 42').toString('base64');
  const login = Buffer.from('hunter 42').toString('base64');
  const cleaned = (answer: string) => sanitizeAnswer(answer, { server, text });
  expect(cleaned('550-5.1.1 No such\r\n550 5.1.1 person \u0007 here')).toBe('550-5.1.1 No such 550 5.1.1 person here');
  expect(cleaned(`500 what is AUTH PLAIN ${plain}?`)).toBe('500 what is AUTH PLAIN [hidden]?');
  expect(cleaned(`500 what is ${login}, hunter 42?`)).toBe('500 what is [hidden], [hidden]?');
  expect(cleaned('554 bad link https://pay.example.com/reset?token=kx3Hq-7s_Z81mPw0aaBB')).toBe(
    '554 bad link https://pay.example.com/reset?token=[hidden]',
  );
  expect(cleaned('x'.repeat(9_000))).toHaveLength(500);
});
