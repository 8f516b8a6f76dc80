import { expect, test } from 'vitest';
import { textsPage } from './texts-page.mjs';

test('lists every text in both languages with its place', () => {
  const parts = [
    {
      part: 'pay',
      english: { Pay: { title: 'Pay <b>', nested: { one: 'One' } } },
      swahili: { Pay: { title: 'Lipa <b>', nested: { one: 'Moja' } } },
    },
  ];
  const sources = new Map([
    ['components/pay.tsx', "translator(locale, 'Pay')('title')"],
    ['components/other.tsx', "translator(locale, 'Other')('title')"],
  ]);
  const html = textsPage(parts, sources);
  expect(html).toContain('<td>Pay &lt;b><td lang="sw">Lipa &lt;b><td><b>Pay.title</b><br>components/pay.tsx');
  expect(html).toContain('<td>One<td lang="sw">Moja<td><b>Pay.nested.one</b><br>components/pay.tsx');
  expect(html).not.toContain('components/other.tsx');
});
