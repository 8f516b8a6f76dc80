import { ConfirmCard } from '@/app/(auth)/confirm/confirm-card';
import { type PageProps, single, titled } from '@/app/page-props';
import { Help } from '@/components/dashboard/help/help';
import { BusinessForm } from '@/components/dashboard/settings/business-form';
import { NotifyForm, RulesForm } from '@/components/dashboard/settings/forms';
import type { LogoAnswer } from '@/components/dashboard/settings/logo-form';
import { ReturnForm } from '@/components/dashboard/settings/return-form';
import { NotAllowed } from '@/components/dashboard/shell/not-allowed';
import { Shell } from '@/components/dashboard/shell/shell';
import { Card, PageHeader } from '@/components/ui/layout';
import { Notice } from '@/components/ui/notice';
import { authorizeProven } from '@/lib/accounts/access/grant-access';
import { roleMay } from '@/lib/accounts/permissions';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import { formatSupportNumber } from '@/lib/merchants/brand-rules';
import { describeLogoProblem } from '@/lib/merchants/describe-logo-problem';
import { LOGO_SIZE_PROBLEMS, OTHER_LOGO_PROBLEMS } from '@/lib/merchants/logo-rules';
import { type SettingsView, showSettings } from '@/lib/merchants/manage/show-settings';
import { ADDRESSES_MAX, TOPICS, type Topic, type TopicSetting } from '@/lib/merchants/notify-rules';
import { openVisit } from '@/lib/server/visit';
import { changeBusinessAction, changeNotifyAction, changeReturnAction, changeRulesAction } from './actions';

export const generateMetadata = titled('Settings', 'title');

export default async function SettingsPage({ params, searchParams }: PageProps) {
  const { runtime, access, locale, place, path } = await openVisit(await params, 'settings');
  const settings = await showSettings(runtime, access);
  if (!settings) return <NotAllowed access={access} permission="settings.view" locale={locale} />;
  const t = translator(locale, 'Settings');
  const refusal = authorizeProven(access, 'settings.change', runtime.clock());
  const disabled = refusal !== null;
  const common = { place, disabled };
  const key = `${place.merchant}/${place.environment}`;
  const both = <p className="-mt-2 mb-4 text-sm text-muted">{t('both')}</p>;
  return (
    <Shell access={access} locale={locale} section="settings" texts={['Settings', 'ReturnLinks']}>
      <PageHeader help={<Help page="settings" locale={locale} />} title={t('title')} intro={t('intro')} />
      {!roleMay(access.role, 'settings.change') && <Notice tone="wait" text={t('viewer')} />}
      {refusal === 'not_proven' && (
        <ConfirmCard locale={locale} back={path('settings')} wrong={single((await searchParams).wrong) !== null} />
      )}
      <Card id="business" title={t('business')}>
        {both}
        <BusinessForm
          key={key}
          action={changeBusinessAction}
          now={{
            name: settings.name,
            language: settings.language ?? 'browser',
            colour: settings.brandColour ?? '',
            support: settings.supportNumber === null ? '' : formatSupportNumber(settings.supportNumber).replaceAll('\u00a0', ' '),
          }}
          logo={logoOf(settings)}
          logoAddress={path('settings/logo')}
          logoAnswer={answerOf(await searchParams, locale)}
          {...common}
        />
      </Card>
      <Card id="rules" title={t('rules')}>
        <RulesForm
          key={key}
          groups={[
            { title: t('payments'), note: t(`only_${access.scope.environment}`), names: ['partial', 'unique'] },
            { title: t('security'), note: t('both'), names: ['factor'] },
          ]}
          action={changeRulesAction}
          now={{
            partial: settings.partialPayments ? 'on' : '',
            unique: settings.uniqueReferences ? 'on' : '',
            factor: settings.requireSecondFactor ? 'on' : '',
          }}
          {...common}
        />
      </Card>
      <Card id="return" title={translator(locale, 'ReturnLinks')('title')}>
        <p className="-mt-2 mb-2 text-sm text-muted">{t(`only_${access.scope.environment}`)}</p>
        <p className="mb-4 max-w-prose">{translator(locale, 'ReturnLinks')('intro')}</p>
        <ReturnForm key={key} action={changeReturnAction} now={{ origins: settings.returnOrigins.join('\n') }} {...common} />
      </Card>
      <Card id="notify" title={t('notify')}>
        {both}
        {!settings.sendsMail && (
          <div className="mb-4">
            <Notice tone="wait" text={t('notifyNoServer')} />
          </div>
        )}
        <NotifyForm
          key={key}
          action={changeNotifyAction}
          now={Object.fromEntries(TOPICS.flatMap((topic) => typedOf(topic, settings.notify[topic])))}
          topics={TOPICS}
          most={ADDRESSES_MAX}
          {...common}
        />
      </Card>
    </Shell>
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

/** Returns the fields of a topic in the notification form, with their values. */
function typedOf(topic: Topic, { on, addresses }: TopicSetting): [string, string][] {
  return [
    [`${topic}_on`, on ? 'on' : ''],
    [topic, addresses.join('\n')],
  ];
}

function logoOf({ merchantId, logoHash, logoWidth, logoHeight }: SettingsView) {
  if (logoHash === null || logoWidth === null || logoHeight === null) return null;
  return { url: `/pay/logo/${merchantId}/${logoHash}`, width: logoWidth, height: logoHeight };
}
