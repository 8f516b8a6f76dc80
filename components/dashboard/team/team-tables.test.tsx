import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import type { MemberView } from '@/lib/identity/accounts/team/team';
import { LOCALES } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import { MemberTable } from './team-tables';

const since = new Date('2026-11-20T09:00:00Z');
const member = (name: string, emailConfirmed: boolean): MemberView => ({
  userId: name,
  name,
  email: `${name}@example.com`,
  mobile: null,
  role: 'viewer',
  since,
  lastSeenAt: null,
  secondFactor: false,
  emailConfirmed,
});

describe.each(LOCALES)('in %s', (locale) => {
  const t = translator(locale, 'Team');
  const html = (...members: MemberView[]) =>
    renderToStaticMarkup(<MemberTable members={members} locale={locale} now={since} reader="nobody" />);

  test('marks only members whose e-mail address is not confirmed, and explains the mark', () => {
    const [, asha = '', juma = ''] = html(member('asha', true), member('juma', false)).split('<strong>');
    expect(asha).not.toContain(t('emailUnconfirmed'));
    expect(juma).toContain(t('emailUnconfirmed'));
    expect(juma).toContain(t('emailUnconfirmedText'));
  });

  test('shows no mark if all addresses are confirmed', () => {
    expect(html(member('asha', true))).not.toContain(t('emailUnconfirmedText'));
  });
});
