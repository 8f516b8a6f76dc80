import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { DownNetworks } from './down-networks';

test.each([
  ['en', ['airtel'], 'Airtel Money has problems at the moment. The customer can pay with M-Pesa, Mixx by Yas.'],
  ['en', ['airtel', 'yas'], 'Mixx by Yas, Airtel Money have problems at the moment. The customer can pay with M-Pesa.'],
  ['en', ['vodacom', 'yas', 'airtel'], 'M-Pesa, Mixx by Yas, Airtel Money have problems at the moment. '],
  ['sw', ['airtel'], 'Kuna tatizo kwenye Airtel Money kwa sasa. Mteja anaweza kulipa kwa M-Pesa, Mixx by Yas.'],
] as const)('the form for a payment request names the networks with problems and those that work (%s, %j)', (locale, down, text) => {
  const networks = ['vodacom', 'yas', 'airtel'] as const;
  const shown = networks.filter((network) => down.some((one) => one === network));
  const html = renderToStaticMarkup(<DownNetworks networks={networks} down={shown} locale={locale} />);
  expect(html.replace(/<[^>]+>/g, '')).toBe(text);
});
