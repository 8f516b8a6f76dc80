import { type PageProps, titled } from '@/app/page-props';
import { Help } from '@/components/dashboard/help/help';
import { Shell } from '@/components/dashboard/shell/shell';
import { Icon, type IconName } from '@/components/ui/icon';
import { Card, PageHeader } from '@/components/ui/layout';
import { TextLink } from '@/components/ui/links';
import { Notice } from '@/components/ui/notice';
import { openVisit } from '@/lib/entry/server/visit';
import { may } from '@/lib/identity/accounts/access/grant-access';
import { translator } from '@/lib/platform/i18n/translator';

type Step = 'counter' | 'newBill' | 'ownBills' | 'bills' | 'overview' | 'team' | 'secondFactor';

export const generateMetadata = titled('Welcome', 'tab');

/** The first page for a new member: the role and the next steps. It can be opened again at any time, and then shows the current role. */
export default async function WelcomePage({ params }: PageProps) {
  const { access, locale, path: at } = await openVisit(await params, 'welcome');
  const t = translator(locale, 'Welcome');
  const role = translator(locale, 'Shell')(`role_${access.role}`);
  const cashier = access.billsOf !== null;
  const steps: { readonly step: Step; readonly href: string; readonly icon: IconName; readonly shown: boolean }[] = [
    { step: 'overview', href: at('overview'), icon: 'gauge', shown: may(access, 'overview.view') },
    { step: 'counter', href: at('counter'), icon: 'keypad', shown: cashier },
    { step: 'newBill', href: at('bills/new'), icon: 'plus', shown: may(access, 'bills.create') && !cashier },
    { step: cashier ? 'ownBills' : 'bills', href: at('bills'), icon: 'document', shown: may(access, 'bills.view') },
    { step: 'team', href: at('team'), icon: 'people', shown: may(access, 'team.view') },
    { step: 'secondFactor', href: '/account/second-factor', icon: 'lock', shown: true },
  ];
  return (
    <Shell access={access} locale={locale} section={null}>
      <PageHeader
        help={<Help text={t('help')} docs="dashboard.md#pages" locale={locale} />}
        title={t('title', { merchant: access.merchant.name })}
      />
      <Notice tone="good" title={t('joined', { merchant: access.merchant.name, role })} role="status" />
      <Card id="next" title={t('next')}>
        <ul className="grid gap-4">
          {steps
            .filter(({ shown }) => shown)
            .map(({ step, href, icon }) => (
              <li key={step} className="flex gap-3 border-t border-line pt-4 first:border-0 first:pt-0">
                <Icon name={icon} className="mt-1 size-4 text-muted" />
                <div className="min-w-0">
                  <TextLink href={href}>{t(step)}</TextLink>
                  <p className="text-sm text-muted">{t(`${step}Text`)}</p>
                </div>
              </li>
            ))}
        </ul>
      </Card>
    </Shell>
  );
}
