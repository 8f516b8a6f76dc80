import { ConfirmCard } from '@/app/(auth)/confirm/confirm-card';
import { type PageProps, single, titled } from '@/app/page-props';
import { Help } from '@/components/dashboard/help/help';
import type { LogoAnswer } from '@/components/dashboard/settings/business-form';
import { BusinessForm } from '@/components/dashboard/settings/business-form';
import { NotifyForm, ReturnForm, RulesForm } from '@/components/dashboard/settings/forms';
import { ChangeForm, LimitForm } from '@/components/dashboard/settings/refund-limit';
import { NotAllowed, Shell } from '@/components/dashboard/shell/shell';
import { logoPath } from '@/components/pay/brand';
import { Card, PageHeader } from '@/components/ui/layout';
import { Nav } from '@/components/ui/nav';
import { Notice } from '@/components/ui/notice';
import { type SettingsView, showSettings } from '@/lib/backoffice/merchants/change-settings';
import { type RefundLimitView, showRefundLimit } from '@/lib/backoffice/merchants/refund-limit';
import { openVisit } from '@/lib/entry/server/visit';
import { authorizeProven } from '@/lib/identity/accounts/access/grant-access';
import { roleMay } from '@/lib/identity/accounts/permissions';
import { formatSupportNumber } from '@/lib/identity/merchants/brand-rules';
import { describeLogoProblem } from '@/lib/identity/merchants/describe-logo-problem';
import { LOGO_SIZE_PROBLEMS, OTHER_LOGO_PROBLEMS } from '@/lib/identity/merchants/logo-rules';
import { ADDRESSES_MAX, TOPICS } from '@/lib/identity/merchants/notify-rules';
import { toWholeShillings } from '@/lib/platform/core/money';
import { formatInstant, formatMoney, groupDigits } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import {
  askLimitAction,
  changeBusinessAction,
  changeNotifyAction,
  changeReturnAction,
  changeRulesAction,
  decideLimitAction,
} from './actions';

export const generateMetadata = titled('Settings', 'title');

export default async function SettingsPage({ params, searchParams }: PageProps) {
  const query = await searchParams;
  const part = PARTS.find((one) => one === single(query.part)) ?? 'business';
  const { runtime, access, locale, place, path } = await openVisit(await params, `settings?part=${part}`);
  const settings = await showSettings(runtime, access);
  const refunds = await showRefundLimit(runtime, access);
  if (!settings || !refunds) return <NotAllowed access={access} permission="settings.view" locale={locale} />;
  const t = translator(locale, 'Settings');
  const refusal = authorizeProven(access, 'settings.change', runtime.clock());
  const disabled = refusal !== null;
  const address = (one: Part) => (one === 'business' ? path('settings') : `${path('settings')}?part=${one}`);
  const here = t(part === 'payments' || part === 'website' ? `only_${access.scope.environment}` : 'both');
  const key = `${place.merchant}/${place.environment}`;
  return (
    <Shell access={access} locale={locale} section="settings" texts={['Settings', 'ReturnLinks', 'RefundLimit']}>
      <PageHeader help={<Help text={t('help')} docs="dashboard.md#pages" locale={locale} />} title={t('title')} intro={t('intro')} />
      <Nav
        look="tabs"
        oneLine
        label={t('parts')}
        items={PARTS.map((one) => ({ href: address(one), text: t(`part_${one}`), current: one === part }))}
      />
      {!roleMay(access.role, 'settings.change') && <Notice tone="wait" text={t('viewer')} />}
      {refusal === 'not_proven' && <ConfirmCard locale={locale} back={address(part)} wrong={single(query.wrong) !== null} />}
      {part === 'business' && (
        <Card id="business" title={t('business')} action={<Where text={here} />}>
          <BusinessForm
            key={key}
            disabled={disabled}
            action={changeBusinessAction}
            now={{
              name: settings.name,
              language: settings.language ?? 'browser',
              colour: settings.brandColour ?? '',
              support: settings.supportNumber === null ? '' : formatSupportNumber(settings.supportNumber).replaceAll('\u00a0', ' '),
            }}
            logo={logoOf(settings)}
            logoAddress={path('settings/logo')}
            logoAnswer={answerOf(query, locale)}
          />
        </Card>
      )}
      {part === 'payments' && (
        <>
          <Card id="rules" title={t('rules')}>
            <RulesForm
              key={key}
              disabled={disabled}
              groups={[
                { title: t('payments'), note: here, names: ['partial', 'unique', 'cash', 'ways'] },
                { title: t('security'), note: t('both'), names: ['factor'] },
              ]}
              action={changeRulesAction}
              now={{
                partial: settings.partialPayments ? 'on' : '',
                unique: settings.uniqueReferences ? 'on' : '',
                cash: settings.cashiersTakeCash ? 'on' : '',
                ways: settings.issuesInstruments ? 'on' : '',
                factor: settings.requireSecondFactor ? 'on' : '',
              }}
            />
          </Card>
          <Card id="refunds" title={translator(locale, 'RefundLimit')('title')} action={<Where text={here} />}>
            <RefundLimit refunds={refunds} disabled={disabled} locale={locale} />
          </Card>
        </>
      )}
      {part === 'website' && (
        <Card id="return" title={translator(locale, 'ReturnLinks')('title')} action={<Where text={here} />}>
          <p className="mb-4 max-w-prose">{translator(locale, 'ReturnLinks')('intro')}</p>
          <ReturnForm key={key} disabled={disabled} action={changeReturnAction} now={{ origins: settings.returnOrigins.join('\n') }} />
        </Card>
      )}
      {part === 'mail' && (
        <Card id="notify" title={t('notify')} action={<Where text={here} />}>
          {!settings.sendsMail && (
            <div className="mb-4">
              <Notice tone="wait" text={t('notifyNoServer')} />
            </div>
          )}
          <NotifyForm
            key={key}
            disabled={disabled}
            action={changeNotifyAction}
            now={{
              on: TOPICS.filter((topic) => settings.notify[topic].on).join(' '),
              ...Object.fromEntries(TOPICS.map((topic) => [topic, settings.notify[topic].addresses.join('\n')])),
            }}
            topics={TOPICS}
            most={ADDRESSES_MAX}
          />
        </Card>
      )}
    </Shell>
  );
}

/** The parts of the settings, each a page of its own. */
const PARTS = ['business', 'payments', 'website', 'mail'] as const;
type Part = (typeof PARTS)[number];

/** Says to which environments a setting applies. */
function Where({ text }: { readonly text: string }) {
  return <span className="text-small text-muted">{text}</span>;
}

interface RefundLimitProps {
  readonly refunds: RefundLimitView;
  readonly disabled: boolean;
  readonly locale: Locale;
}

/** The limit of refunds, with the change that waits for another person or the form for a change. */
function RefundLimit({ refunds: { limit, alone, change }, disabled, locale }: RefundLimitProps) {
  const t = translator(locale, 'RefundLimit');
  return (
    <>
      <p className="mb-2 max-w-prose">{t('intro')}</p>
      <p className="mb-4 font-semibold">{limit === null ? t('none') : t('now', { amount: formatMoney(limit) })}</p>
      {alone && <Notice tone="wait" {...(limit !== null && { title: t('aloneNow') })} text={t('alone')} />}
      {change && (
        <ChangeForm
          key={change.askedAt.toISOString()}
          action={decideLimitAction}
          title={change.limit === null ? t('changeToNone') : t('changeTo', { amount: formatMoney(change.limit) })}
          about={t('changeBy', { name: change.askedBy.replace(/^\w+:/, ''), time: formatInstant(change.askedAt, locale) })}
          asked={change.askedAt.toISOString()}
          own={change.own}
          disabled={disabled}
        />
      )}
      {!alone && !change && (
        <LimitForm
          key={String(limit)}
          action={askLimitAction}
          limit={limit === null ? '' : groupDigits(toWholeShillings(limit))}
          disabled={disabled}
        />
      )}
    </>
  );
}

/** Returns the result of a logo upload that the route put into the query. Unknown values are ignored. */
function answerOf(query: Awaited<PageProps['searchParams']>, locale: Locale): LogoAnswer {
  const result = single(query.logo);
  const sized = LOGO_SIZE_PROBLEMS.find((one) => one === result);
  const other = OTHER_LOGO_PROBLEMS.find((one) => one === result);
  const size = { width: readPixels(query.width), height: readPixels(query.height) };
  const problem = sized ? { kind: sized, ...size } : other && { kind: other };
  if (!problem) return { saved: result === 'saved', problem: null };
  return { saved: false, problem: translator(locale, 'Settings')('logo_wrong', { reason: describeLogoProblem(problem, locale) }) };
}

function readPixels(text: string | string[] | undefined): number {
  return Number(single(text)?.match(/^\d{1,9}$/)?.[0] ?? 0);
}

function logoOf({ merchantId, logoHash, logoWidth, logoHeight }: SettingsView) {
  if (logoHash === null || logoWidth === null || logoHeight === null) return null;
  return { src: logoPath({ merchantId, logoHash }), width: logoWidth, height: logoHeight };
}
