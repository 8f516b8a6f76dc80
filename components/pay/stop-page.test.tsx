import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import type { RefusalRequest } from '@/lib/gateway/refusals/request-refusal';
import { LOCALES } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import { StopPage } from './stop-page';

const REQUESTED: RefusalRequest = { kind: 'requested', code: '123456', until: new Date('2026-11-28T11:30:00Z') };

describe.each(LOCALES)('in %s', (locale) => {
  const t = translator(locale, 'Stop');
  const page = (request: RefusalRequest, contact: string | null, shopNumber: string | null = null) => {
    const answer = { request, mobile: '0712345678', contact, shopNumber };
    return renderToStaticMarkup(<StopPage locale={locale} billId={null} values={null} answer={answer} />);
  };

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

  test("otherwise it says to call the shop, and calls the shop's number", () => {
    const asked = t('codeText', { mobile: '0***\u00a0***\u00a0678', time: '28\u00a0Nov\u00a02026, 14:30' });
    for (const [request, text] of [
      [REQUESTED, asked],
      [{ kind: 'active' }, t('active')],
    ] as const) {
      const html = page(request, null, '0754000222');
      expect(html).toContain(text);
      expect(html).toContain('<a class="button" href="tel:0754000222">');
      expect(page(request, '0754 000 111', '0754000222')).not.toContain('0754000222');
    }
  });

  test('without any number it says to show the code at the shop, and always that no PIN means no payment', () => {
    expect(page(REQUESTED, null)).toContain(t('noNumber'));
    expect(page(REQUESTED, null, '0754000222')).not.toContain(t('noNumber'));
    expect(page(REQUESTED, 'msaada@example.com')).not.toContain(t('noNumber'));
    for (const contact of [null, '0754 000 111']) expect(page(REQUESTED, contact)).toContain(t('untilThen'));
  });
});
