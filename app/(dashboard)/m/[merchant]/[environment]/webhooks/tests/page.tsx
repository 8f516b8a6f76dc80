import { testAction } from '@/app/(dashboard)/m/[merchant]/[environment]/webhooks/actions';
import { type PageProps, single, titled } from '@/app/page-props';
import { Pager } from '@/components/dashboard/pager';
import { NotAllowed } from '@/components/dashboard/shell/shell';
import { AttemptDetails } from '@/components/dashboard/webhooks/attempt-details';
import { OutcomeBadge, ReceiverCheck, TestForm } from '@/components/dashboard/webhooks/endpoint/receiver-check';
import { WebhookPage } from '@/components/dashboard/webhooks/webhook-page';
import { Card, EmptyState } from '@/components/ui/layout';
import { describeStep } from '@/lib/backoffice/receiver-check/describe-check';
import { findLastCheck, listTests, type TestView } from '@/lib/backoffice/receiver-check/list-tests';
import { openVisit } from '@/lib/entry/server/visit';
import { may } from '@/lib/identity/accounts/access/grant-access';
import { formatInstant, formatRecent } from '@/lib/platform/i18n/format';
import { translator } from '@/lib/platform/i18n/translator';

export const generateMetadata = titled('Hooks', 'tab_tests');

export default async function TestsPage({ params, searchParams }: PageProps) {
  const { runtime, access, locale, place, path } = await openVisit(await params, 'webhooks/tests');
  if (!may(access, 'webhooks.view')) return <NotAllowed access={access} permission="webhooks.view" locale={locale} />;
  const before = single((await searchParams).before);
  const [{ tests, older }, last] = await Promise.all([
    listTests(runtime, access, before),
    place.environment === 'live' ? null : findLastCheck(runtime, access),
  ]);
  const t = translator(locale, 'Hooks');
  const s = translator(locale, 'Status');
  const c = translator(locale, 'ReceiverCheck');
  const live = place.environment === 'live';
  const statuses = live ? (['NOT_PAID'] as const) : (['FULLY_PAID', 'PARTIALLY_PAID', 'NOT_PAID'] as const);
  const outcomes = {
    passed: c('outcome_passed'),
    warning: c('outcome_warning'),
    failed: c('outcome_failed'),
    skipped: c('outcome_skipped'),
  };
  // The HTTP status alone does not show whether the result is good, because the receiver must reject some calls of a check.
  const verdictOf = (checked: TestView['checked']) =>
    checked ? <OutcomeBadge outcome={checked.outcome} text={outcomes[checked.outcome]} /> : '';
  return (
    <WebhookPage access={access} locale={locale} tab="tests">
      {may(access, 'webhooks.change') && (
        <>
          <Card id="test" title={t('testTitle')}>
            <TestForm action={testAction} statuses={statuses.map((value) => ({ value, text: s(value) }))} />
          </Card>
          <Card id="check" title={t('checkTitle')}>
            {live ? (
              <p>{t('checkLive')}</p>
            ) : (
              <ReceiverCheck
                address={path('webhooks/tests/check')}
                outcomes={outcomes}
                last={
                  last && {
                    ...{ id: last.id, url: last.url },
                    ended: { text: formatRecent(last.endedAt, runtime.clock(), locale), exact: formatInstant(last.endedAt, locale) },
                    steps: last.steps.map((one) => ({ step: one.step, outcome: one.outcome, ...describeStep(locale, one) })),
                  }
                }
              />
            )}
          </Card>
        </>
      )}
      <Card id="tests" title={t('testsTitle')}>
        {tests.length === 0 ? (
          <EmptyState art="empty" title={t('testsEmptyTitle')} text={t('testsEmptyText')} />
        ) : (
          tests.map(({ checked, ...test }) => (
            <AttemptDetails
              key={test.id}
              attempt={test}
              body={test.body}
              open={false}
              title={checked ? c(`step_${checked.step}`) : t(test.trigger === 'check' ? 'kind_check' : 'kind_test')}
              verdict={test.trigger === 'check' ? verdictOf(checked) : undefined}
              locale={locale}
            />
          ))
        )}
      </Card>
      <Pager path={path('webhooks/tests')} older={older} first={before === null} locale={locale} />
    </WebhookPage>
  );
}
