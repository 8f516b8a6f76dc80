import type { Metadata } from 'next';
import { CreateKeyForm } from '@/components/dashboard/create-key-form';
import { KeyTable } from '@/components/dashboard/key-table';
import { Shell } from '@/components/dashboard/shell';
import { Card } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { Focused } from '@/components/ui/focused';
import { Notice } from '@/components/ui/notice';
import { PageHeader } from '@/components/ui/page-header';
import { dashboardPath, may } from '@/lib/accounts/grant-access';
import { translator } from '@/lib/i18n/translator';
import { LABEL_MAX } from '@/lib/keys/create-own-key';
import { listKeys } from '@/lib/keys/list-keys';
import { pageLocale } from '@/lib/server/preferences';
import { csrfToken, openVisit } from '@/lib/server/visit';
import type { PageProps } from '../params';
import { createKeyAction, revokeKeyAction } from './actions';

export async function generateMetadata(): Promise<Metadata> {
  return { title: translator(await pageLocale(), 'Keys')('title') };
}

export default async function KeysPage({ params, searchParams }: PageProps) {
  const { runtime, access, locale } = await openVisit(await params, 'keys');
  const keys = await listKeys(runtime, access);
  const t = translator(locale, 'Keys');
  const place = { merchant: access.merchant.slug, environment: access.scope.environment };
  const changes = may(access, 'keys.change');
  return (
    <Shell access={access} locale={locale} section="keys" csrf={await csrfToken(runtime)}>
      <PageHeader title={t('title')} intro={t('intro')} />
      {(await searchParams).revoked !== undefined && (
        <Focused label={t('revokedTitle')}>
          <Notice tone="good" title={t('revokedTitle')}>
            <p>{t('revokedText')}</p>
          </Notice>
        </Focused>
      )}
      {changes ? (
        <Card id="new" title={t('newTitle')}>
          <CreateKeyForm
            // Another place is another form: a secret shown for one must not stay on the page of the other.
            key={`${place.merchant}/${place.environment}`}
            action={createKeyAction}
            {...place}
            labelMax={LABEL_MAX}
            again={dashboardPath({ slug: place.merchant, environment: place.environment, page: 'keys' })}
            texts={{
              label: t('label'),
              labelHint: t('labelHint'),
              create: t('create'),
              creating: t('creating'),
              createdTitle: t('createdTitle'),
              createdText: t('createdText'),
              keyId: t('keyId'),
              secret: t('secret'),
              copy: t('copy'),
              copied: t('copied'),
              tryIt: t('tryIt'),
              again: t('again'),
            }}
          />
        </Card>
      ) : (
        <Notice tone="wait">
          <p>{t('viewer')}</p>
        </Notice>
      )}
      <Card id="list" title={t('list')}>
        {keys.length === 0 ? (
          <EmptyState title={t('emptyTitle')} text={t('emptyText')} />
        ) : (
          <KeyTable keys={keys} locale={locale} {...(changes && { revoke: { action: revokeKeyAction, ...place } })} />
        )}
      </Card>
    </Shell>
  );
}
