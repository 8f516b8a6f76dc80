import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { PROVIDERS } from '@/lib/providers/registry';
import { EntryList } from './audit-log';

test.each(PROVIDERS)('an entry names the provider $name as every other page does', ({ name, label }) => {
  const entry = {
    id: '018f2b1c-0000-7000-8000-000000000000',
    at: new Date('2026-11-24T09:00:00Z'),
    environment: 'live',
    actor: 'operator:test',
    action: 'provider_account.added',
    subject: 'account',
    address: null,
    data: { provider: name, networks: ['mpesa'] },
    sealed: false,
    number: null,
    hash: null,
  } as const;
  const html = renderToStaticMarkup(
    <EntryList
      entries={[entry]}
      names={new Map()}
      now={entry.at}
      merchantId="m"
      billPath={(id) => id}
      shiftPath={(id) => id}
      locale="en"
    />,
  );
  expect(html).toContain(`<span class="wrap-break-word">${label}</span>`);
});
