import { expect, test } from 'vitest';
import { parseMailbox } from './mailbox';

test.each([
  ['bili@example.com', { name: '', address: 'bili@example.com' }],
  ['<bili@example.com>', { name: '', address: 'bili@example.com' }],
  ['Bili <bili@example.com>', { name: 'Bili', address: 'bili@example.com' }],
  ['"Bili, malipo" <bili@example.com>', { name: 'Bili, malipo', address: 'bili@example.com' }],
  [' Malipo ya Dukani <root@localhost> ', { name: 'Malipo ya Dukani', address: 'root@localhost' }],
])('%j is a mailbox', (text, mailbox) => {
  expect(parseMailbox(text)).toEqual(mailbox);
});

test.each([
  '',
  'Bili',
  'bili@',
  'a@b@c',
  'a@example.com, b@example.com',
  'a@example.com,b@example.com',
  'Bili <a@example.com> <b@example.com>',
  'Bili <a@example.com',
  'group:a@example.com;',
  'Bili\r\nBcc: b@example.com <a@example.com>',
  'a@example.com\nBcc: b@example.com',
  'Bili <a@example.com\r\nBcc:b@example.com>',
  'a\u2028b@example.com',
  'a\u0000@example.com',
  `${'a'.repeat(243)}@example.com`,
])('%j is not a mailbox', (text) => {
  expect(parseMailbox(text)).toBeNull();
});
