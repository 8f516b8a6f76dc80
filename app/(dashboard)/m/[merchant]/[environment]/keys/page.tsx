import { ConfirmCard } from '@/app/(auth)/confirm/confirm-card';
import { type PageProps, single, titled } from '@/app/page-props';
import { Help } from '@/components/dashboard/help/help';
import { CreateKeyForm } from '@/components/dashboard/keys/create-key-form';
import { KeyTable } from '@/components/dashboard/keys/key-table';
import { KeyTabs } from '@/components/dashboard/keys/key-tabs';
import { NotAllowed } from '@/components/dashboard/shell/not-allowed';
import { Shell } from '@/components/dashboard/shell/shell';
import { CopiedValue } from '@/components/ui/copied-value';
import { Fold } from '@/components/ui/fold';
import { Card, EmptyState, PageHeader } from '@/components/ui/layout';
import { TextLink } from '@/components/ui/links';
import { Notice } from '@/components/ui/notice';
import { isProven, may } from '@/lib/accounts/access/grant-access';
import { roleMay } from '@/lib/accounts/permissions';
import { formatInstant } from '@/lib/i18n/format';
import { translator } from '@/lib/i18n/translator';
import { LABEL_MAX } from '@/lib/keys/key-form';
import { SCANNER_CHECK, SCANNER_PATTERN } from '@/lib/keys/scanner-pattern';
import { listKeys } from '@/lib/keys/show-keys';
import { openVisit } from '@/lib/server/visit';
import { createKeyAction } from './actions';

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
  return (
    <Shell access={access} locale={locale} section="keys" texts={['Keys', 'KeyPage', 'KeyScopes']}>
      <PageHeader help={<Help page="keys" locale={locale} />} title={t('title')} intro={t('intro')} />
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
      <Card id="list" title={t('list')}>
        {working.length === 0 ? (
          <EmptyState title={t('emptyTitle')} text={t('emptyText')} />
        ) : (
          <KeyTable keys={working} caption={t('list')} keyPath={keyPath} locale={locale} />
        )}
        {others.length > 0 && (
          <Fold title={p('inactive', { count: String(others.length) })} className="mt-3">
            <KeyTable keys={others} caption={p('inactive', { count: String(others.length) })} keyPath={keyPath} locale={locale} />
          </Fold>
        )}
      </Card>
      {!roleMay(access.role, 'keys.change') && <Notice tone="wait" text={t('viewer')} />}
      {changes && !isProven(access, runtime.clock()) && (
        <ConfirmCard locale={locale} back={path('keys')} wrong={single((await searchParams).wrong) !== null} />
      )}
      {changes && isProven(access, runtime.clock()) && (
        <Card id="new" title={t('newTitle')}>
          <CreateKeyForm
            // When the member changes to another environment, this React key resets the form. Otherwise the page of the other environment
            // would still show the secret of a key that was just created.
            key={`${place.merchant}/${place.environment}`}
            action={createKeyAction}
            place={place}
            labelMax={LABEL_MAX}
            again={path('keys')}
          />
        </Card>
      )}
      <Card id="scanners" title={p('scanners')}>
        <p className="max-w-prose text-muted">{p('scannersText')}</p>
        <Fold title={p('scannersCode')} className="mt-1">
          <div className="grid grid-cols-[minmax(0,1fr)] gap-4 pt-2">
            <CopiedValue label={p('pattern')} value={SCANNER_PATTERN} />
            <CopiedValue label={p('check')} value={SCANNER_CHECK} />
          </div>
        </Fold>
      </Card>
    </Shell>
  );
}
