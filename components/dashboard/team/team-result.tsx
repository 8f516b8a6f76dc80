import { INVITATIONS_A_DAY } from '@/lib/accounts/team/invitation-rules';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import { ResultNotice } from '../result-notice';

const DONE = ['role', 'removed', 'revoked', 'device'] as const;
const PROBLEMS = [
  'not_allowed',
  'second_factor_due',
  'not_proven',
  'owners_only',
  'last_owner',
  'cashier_only',
  'no_such_device',
  'no_such_member',
  'no_such_invitation',
  'too_many',
] as const;

interface TeamResultProps {
  /** The result or the problem of the last action, from the query of the page. */
  readonly done: string | null;
  readonly problem: string | null;
  readonly locale: Locale;
}

export function TeamResult({ done, problem, locale }: TeamResultProps) {
  const t = translator(locale, 'Team');
  const good = DONE.find((one) => one === done);
  const bad = PROBLEMS.find((one) => one === problem);
  if (!good && !bad) return null;
  const title = good ? t(`done_${good}`) : t('problemTitle');
  return (
    <ResultNotice text={title} good={!bad}>
      {bad && <p>{t(bad, { most: String(INVITATIONS_A_DAY) })}</p>}
    </ResultNotice>
  );
}
