import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { LOCALES } from '@/lib/i18n/locale';
import type { RefusalRequest } from '@/lib/refusals/request-refusal';
import { StopPage } from './stop-page';

const REQUESTED: RefusalRequest = { kind: 'requested', code: '123456', until: new Date('2026-11-28T11:30:00Z') };

describe.each(LOCALES)('in %s', (locale) => {
  const page = (request: RefusalRequest, contact: string | null) =>
    renderToStaticMarkup(<StopPage locale={locale} billId={null} typed={null} answer={{ request, mobile: '0712345678', contact }} />);

  test("the page with the code names the operator's contact if there is one", () => {
    const html = page(REQUESTED, 'Simu <0754 000 111>');
    expect(html).toContain('Simu &lt;0754 000 111&gt;');
    expect(html).toContain('123\u00a0456');
    expect(html).toContain('<a class="button" href="tel:0754000111">');
    expect(page(REQUESTED, 'msaada@example.com')).not.toContain('tel:');
    expect(html).toContain('0***\u00a0***\u00a0678');
    expect(page({ kind: 'active' }, '0754 000 111')).toContain('0754 000 111');
    expect(page({ kind: 'too_many' }, '0754 000 111')).not.toContain('0754 000 111');
  });

  test('otherwise it says to call the shop', () => {
    for (const request of [REQUESTED, { kind: 'active' }] as const)
      expect(page(request, null)).toMatch(/the shop or the company that handles its payments|dukani au kwa kampuni inayopokea malipo yake/);
  });
});
