import { ConfirmCard } from '@/app/(auth)/confirm/confirm-card';
import { type PageProps, single, titled } from '@/app/page-props';
import { Help } from '@/components/dashboard/help/help';
import { CreateKeyForm } from '@/components/dashboard/keys/key-forms';
import { KeyList, KeyTabs } from '@/components/dashboard/keys/key-list';
import { NotAllowed, Shell } from '@/components/dashboard/shell/shell';
import { Fold } from '@/components/ui/fold';
import { Icon } from '@/components/ui/icon';
import { Card, EmptyState, PageHeader } from '@/components/ui/layout';
import { ButtonLink, TextLink } from '@/components/ui/links';
import { Notice } from '@/components/ui/notice';
import { openVisit } from '@/lib/entry/server/visit';
import { isProven, may } from '@/lib/identity/accounts/access/grant-access';
import { roleMay } from '@/lib/identity/accounts/permissions';
import { LABEL_MAX } from '@/lib/identity/keys/key-form';
import { listKeys } from '@/lib/identity/keys/show-keys';
import { formatInstant } from '@/lib/platform/i18n/format';
import { translator } from '@/lib/platform/i18n/translator';
import { createKeyAction } from './actions';

/** The page with the form. It is a state of this page in the address, so that the button works without JavaScript. */
const NEW = 'keys?new=1';

export const generateMetadata = titled('Keys', 'title');

export default async function KeysPage({ params, searchParams }: PageProps) {
  const { runtime, access, locale, place, path } = await openVisit(await params, 'keys');
  if (!may(access, 'keys.view')) return <NotAllowed access={access} permission="keys.view" locale={locale} />;
  const keys = await listKeys(runtime, access);
  const working = keys.filter(({ state }) => state === 'active');
  const others = keys.filter(({ state }) => state !== 'active');
  const soon = working.filter(({ endsSoon }) => endsSoon);
  const t = translator(locale, 'Keys');
  const p = translator(locale, 'KeyPage');
  const keyPath = (id: string) => path(`keys/${id}`);
  const changes = may(access, 'keys.change');
  const query = await searchParams;
  const creates = changes && single(query.new) !== null;
  const now = runtime.clock();
  const create = changes && !creates && (
    <ButtonLink href={path(NEW)} look="primary">
      <Icon name="plus" />
      {t('create')}
    </ButtonLink>
  );
  return (
    <Shell access={access} locale={locale} section="keys" texts={['Keys', 'KeyPage', 'KeyScopes']}>
      <PageHeader help={<Help text={t('help')} docs="/docs/quickstart" locale={locale} />} title={t('title')} intro={t('intro')}>
        {working.length > 0 && create}
      </PageHeader>
      <KeyTabs shown="keys" path={path} locale={locale} />
      {soon.length > 0 && (
        <Notice tone="wait" title={p('soonTitle', { count: soon.length })}>
          {soon.map(({ id, label, expiresAt }) => (
            <p key={id}>
              {expiresAt && p('soonText', { label, until: formatInstant(expiresAt, locale) })}{' '}
              <TextLink href={`${keyPath(id)}#roll`}>{p('soonLink', { label })}</TextLink>
            </p>
          ))}
        </Notice>
      )}
      {!roleMay(access.role, 'keys.change') && <Notice tone="wait" text={t('viewer')} />}
      {creates && !isProven(access, now) && <ConfirmCard locale={locale} back={path(NEW)} wrong={single(query.wrong) !== null} />}
      {creates && isProven(access, now) && (
        <Card id="new" title={t('newTitle')} action={<TextLink href={path('keys')}>{translator(locale, 'Shell')('close')}</TextLink>}>
          <CreateKeyForm
            // When the member changes to another environment, this React key resets the form. Otherwise the page of the other environment
            // would still show the secret of a key that was just created.
            key={`${place.merchant}/${place.environment}`}
            action={createKeyAction}
            labelMax={LABEL_MAX}
            again={path(NEW)}
          />
        </Card>
      )}
      <Card>
        {working.length === 0 ? (
          <EmptyState art="empty" title={t('emptyTitle')} text={t('emptyText')}>
            {create}
          </EmptyState>
        ) : (
          <KeyList keys={working} label={t('list')} keyPath={keyPath} now={now} locale={locale} />
        )}
        {others.length > 0 && (
          <Fold title={p('inactive', { count: String(others.length) })} className="mt-3">
            <KeyList keys={others} label={p('inactive', { count: String(others.length) })} keyPath={keyPath} now={now} locale={locale} />
          </Fold>
        )}
      </Card>
    </Shell>
  );
}
