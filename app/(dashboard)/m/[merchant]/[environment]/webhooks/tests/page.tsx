import { testAction } from '@/app/(dashboard)/m/[merchant]/[environment]/webhooks/form-actions';
import { type PageProps, single, titled } from '@/app/page-props';
import { Pager } from '@/components/dashboard/pager';
import { NotAllowed } from '@/components/dashboard/shell/not-allowed';
import { AttemptDetails } from '@/components/dashboard/webhooks/attempt-details';
import { OutcomeBadge } from '@/components/dashboard/webhooks/endpoint/outcome-badge';
import { ReceiverCheck } from '@/components/dashboard/webhooks/endpoint/receiver-check';
import { TestForm } from '@/components/dashboard/webhooks/endpoint/test-form';
import { WebhookPage } from '@/components/dashboard/webhooks/webhook-page';
import { Card, EmptyState } from '@/components/ui/layout';
import { may } from '@/lib/accounts/access/grant-access';
import { translator } from '@/lib/i18n/translator';
import { openVisit } from '@/lib/server/visit';
import { listTests, type TestView } from '@/lib/webhooks/check/list-tests';

export const generateMetadata = titled('Hooks', 'tab_tests');

export default async function TestsPage({ params, searchParams }: PageProps) {
  const { runtime, access, locale, place, path } = await openVisit(await params, 'webhooks/tests');
  if (!may(access, 'webhooks.view')) return <NotAllowed access={access} permission="webhooks.view" locale={locale} />;
  const before = single((await searchParams).before);
  const { tests, older } = await listTests(runtime, access, before);
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
            <TestForm action={testAction} place={place} statuses={statuses.map((value) => ({ value, text: s(value) }))} />
          </Card>
          <Card id="check" title={t('checkTitle')}>
            {live ? <p>{t('checkLive')}</p> : <ReceiverCheck address={path('webhooks/tests/check')} outcomes={outcomes} />}
          </Card>
        </>
      )}
      <Card id="tests" title={t('testsTitle')}>
        {tests.length === 0 ? (
          <EmptyState title={t('testsEmptyTitle')} text={t('testsEmptyText')} />
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
