import { describe, expect, test } from 'vitest';
import { mailHtml } from './mail-html';

const base = new URL('https://pay.example.com/');
const sender = { name: 'Duka la Mfano', initial: 'D', fill: '#b4511a', onFill: '#ffffff' };
const LINK = 'https://pay.example.com/invitation/kx3Hq-7s_Z81mPw0aaBB';
const html = (text: string, changes = {}) => mailHtml({ subject: 'Mwaliko', text, sender, base, ...changes });
const linksIn = (page: string) => [...page.matchAll(/<a [^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/g)].map(([, url, text]) => ({ url, text }));
const plain = (page: string) => linksIn(page.replace(/<!--.*?-->/g, ''));

test('a line with a label and a link becomes the button, and its address is below it', () => {
  const page = html(`Habari.\n\nKubali mwaliko: ${LINK}\n\nAsante.\n`);
  expect(plain(page)).toEqual([
    { url: LINK, text: 'Kubali mwaliko' },
    { url: LINK, text: LINK },
  ]);
  expect(page.indexOf('Habari.')).toBeLessThan(page.indexOf('Kubali mwaliko'));
  expect(page.indexOf('Kubali mwaliko')).toBeLessThan(page.indexOf('Asante.'));
});

test('a mail has one button in each language; further links are plain', () => {
  const part = `Ingia: ${LINK}\nNenosiri jipya: ${LINK}2\n\n${LINK}3\n`;
  const both = html(`${part}\n---\n\n${part}`, { subject: 'Mwaliko / Invitation' });
  expect(both.match(/padding:12px 24px/g)).toHaveLength(2);
  expect(both.match(/<h1[^>]*>[^<]*<\/h1>/g)?.map((title) => title.replace(/<[^>]*>/g, ''))).toEqual(['Mwaliko', 'Invitation']);
  expect(html(part).match(/padding:12px 24px/g)).toHaveLength(1);
});

test('a last line that is only a link becomes the link of the first line', () => {
  expect(plain(html(`Ufunguo wa duka\nTengeneza mwingine.\n${LINK}\n`))).toEqual([{ url: LINK, text: 'Ufunguo wa duka' }]);
});

test('the lines after the signature line are the footer and never the button', () => {
  const page = html(`Habari.\n\n-- \nImetumwa na Bili: https://pay.example.com\nUmealikwa.\n`);
  expect(page).not.toContain('padding:12px 24px');
  expect(plain(page)).toEqual([{ url: 'https://pay.example.com', text: 'Imetumwa na Bili' }]);
});

test('a mail and its parts name their languages, which the signature shows', () => {
  const languages = (page: string) => [...page.matchAll(/ lang="(\w+)"/g)].map(([, language]) => language);
  const url = 'https://pay.example.com';
  expect(languages(html(`Habari.\n\n-- \nImetumwa na Bili: ${url}\nUmealikwa.\n`))).toEqual(['sw', 'sw']);
  const both = `Habari.\n\n---\n\nHello.\n\n-- \nImetumwa na Bili: ${url}\nUmealikwa.\n\nSent by Bili: ${url}\nInvited.\n`;
  expect(languages(html(both))).toEqual(['sw', 'sw', 'en']);
  expect(languages(html('A test.\n'))).toEqual(['en', 'en']);
});

describe('hostile texts', () => {
  test('are escaped in every place', () => {
    const evil = `"><img src=x onerror=alert(1)>'&`;
    const page = html(`${evil}\n\n${evil}: ${LINK}?${evil.replaceAll(' ', '')}\n\n-- \n${evil}\n`, {
      subject: evil,
      sender: { ...sender, name: evil, initial: '<' },
    });
    expect(page).not.toMatch(/<img|onerror=alert\(1\)>/);
    expect(page.match(/&lt;img/g)?.length).toBeGreaterThanOrEqual(6);
  });

  test.each([
    'https://evil.example/reset',
    'https://pay.example.com.evil.example/reset',
    'https://pay.example.com@evil.example/',
    'http://pay.example.com/reset',
    'javascript:alert(1)',
  ])('do not become a link to %s', (url) => {
    expect(plain(html(`Bonyeza hapa: ${url}\n\n${url}\n`))).toEqual([]);
  });
});

test('a mail with ten items in two languages is smaller than 16 kB, and a usual one smaller than 4 kB', () => {
  const item = `Ufunguo wa duka · utaisha 28 Nov 2026, 10:00\nTengeneza ufunguo mpya, kisha uuweke kwenye seva yako kabla huu haujaisha.\n${LINK}`;
  const long = [...Array.from({ length: 10 }, () => item), `Funguo zote: ${LINK}`].join('\n\n');
  expect(Buffer.byteLength(html(`${long}\n\n---\n\n${long}\n`))).toBeLessThan(16_000);
  expect(Buffer.byteLength(html(`Habari.\n\nKubali mwaliko: ${LINK}\n\nAsante.\n`))).toBeLessThan(4_000);
});
