import { type PageProps, single, titled } from '@/app/page-props';
import { NotAllowed } from '@/components/dashboard/shell/not-allowed';
import { Shell } from '@/components/dashboard/shell/shell';
import { Button, buttonClass } from '@/components/ui/button';
import { CopiedValue } from '@/components/ui/copied-value';
import { HiddenFields } from '@/components/ui/forms/fields';
import { Card, EmptyState, PageHeader } from '@/components/ui/layout';
import { Notice } from '@/components/ui/notice';
import { may } from '@/lib/accounts/access/grant-access';
import { translator } from '@/lib/i18n/translator';
import { linkPhones } from '@/lib/phones/phone-links';
import { openVisit } from '@/lib/server/visit';
import { endLinksAction } from './actions';

export const generateMetadata = titled('PhoneCard', 'title');

/** The page from which a member opens the virtual phones of the sandbox. */
export default async function PhonesPage({ params, searchParams }: PageProps) {
  const { runtime, access, locale, place } = await openVisit(await params, 'phones');
  const linked = await linkPhones(runtime, access);
  if (!linked.ok && linked.error !== 'live') return <NotAllowed access={access} permission="bills.create" locale={locale} />;
  const t = translator(locale, 'PhoneCard');
  return (
    <Shell access={access} locale={locale} section={null}>
      <PageHeader title={t('title')} intro={t('text')} />
      {single((await searchParams).ended) !== null && <Notice tone="good" text={t('ended')} />}
      <Card>
        {linked.ok ? (
          <div className="grid gap-4">
            <a href={linked.value} target="_blank" rel="noreferrer" className={`justify-self-start ${buttonClass('primary')}`}>
              {t('open')}
            </a>
            <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
              <p className="text-muted">{t('share')}</p>
              <CopiedValue label={t('link')} value={linked.value} />
            </div>
            {may(access, 'bills.change') && (
              <form action={endLinksAction}>
                <HiddenFields values={place} />
                <Button look="plain">{t('end')}</Button>
              </form>
            )}
          </div>
        ) : (
          <EmptyState title={t('title')} text={t('live')} />
        )}
      </Card>
    </Shell>
  );
}
