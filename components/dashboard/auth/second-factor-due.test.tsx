import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { BillResult } from '@/components/dashboard/bill-page/notices';
import { paymentRequestProblem } from '@/components/dashboard/bill-page/problems';
import { TeamResult } from '@/components/dashboard/team/team-tables';
import { describeSetRefusal, describeTestRefusal } from '@/lib/backoffice/receiver-check/describe-check';
import { LOCALES } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';

const DUE = 'second_factor_due';

describe.each(LOCALES)('in %s a form of an outdated page', (locale) => {
  const t = translator(locale, 'KeyPage');
  const answers = (why: typeof DUE | 'not_allowed') => [
    t(why),
    translator(locale, 'Settings')(why),
    paymentRequestProblem({ kind: why }, '', locale).all,
    describeTestRefusal(locale, why),
    describeSetRefusal(locale, { kind: why }),
    renderToStaticMarkup(<TeamResult done={null} problem={why} locale={locale} />),
    renderToStaticMarkup(<BillResult result={null} progress="new" released={false} problem={why} locale={locale} />),
  ];

  test('says that a second factor is required, and where to set it up', () => {
    for (const answer of answers(DUE)) expect(answer).toContain(`“${translator(locale, 'Account')('secondFactor')}”`);
  });

  test('gives another reason to a member whose role does not allow the action', () => {
    for (const answer of answers('not_allowed')) {
      expect(answer).toBeTruthy();
      expect(answer).not.toContain(t(DUE));
    }
  });
});
