import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ReceiptNumber } from './receipt-card';

const html = (number: string) => renderToStaticMarkup(<ReceiptNumber number={number} />);

test('a receipt number of a network is emphasised', () => {
  expect(html('SBXQLPV16IDF')).toBe('<b>SBXQLPV16IDF</b>');
});

test('a receipt number that is a UUID is small and breaks at its hyphens', () => {
  expect(html('01a21398-6645-70a4-70a4-680f5352bafa')).toBe('<small>01a21398-<wbr/>6645-<wbr/>70a4-<wbr/>70a4-<wbr/>680f5352bafa</small>');
});
