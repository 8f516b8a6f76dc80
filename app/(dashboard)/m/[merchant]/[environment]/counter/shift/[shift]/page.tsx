import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import type { PageProps } from '@/app/page-props';
import { PrintButton } from '@/components/dashboard/counter/print-button';
import { ShiftSummary } from '@/components/dashboard/counter/shift-summary';
import { SignOutForm } from '@/components/dashboard/shell/sign-out-form';
import { ButtonLink } from '@/components/ui/links';
import { Texts } from '@/components/ui/texts';
import { showShift } from '@/lib/counter/show-shift';
import { pickMessages, translator } from '@/lib/i18n/translator';
import { pageLocale } from '@/lib/server/preferences';
import { openVisit } from '@/lib/server/visit';

export async function generateMetadata(): Promise<Metadata> {
  return { title: translator(await pageLocale(), 'Shift')('title') };
}

/** The summary of one of the member's own shifts, for printing. */
export default async function ShiftPage({ params }: PageProps<'shift'>) {
  const { shift, ...place } = await params;
  const { runtime, access, locale, path } = await openVisit(place, `counter/shift/${encodeURIComponent(shift)}`);
  const summary = await showShift(runtime, access, shift);
  if (!summary) notFound();
  const t = translator(locale, 'Shift');
  return (
    <Texts locale={locale} messages={pickMessages(locale, ['Counter'])}>
      <main id="content" className="mx-auto grid max-w-2xl gap-4 px-3 py-4 print:max-w-none print:p-0">
        <div className="flex flex-wrap items-center justify-between gap-2 print:hidden">
          <h1 className="text-title">{summary.shift.closedAt ? t('closedTitle') : t('title')}</h1>
          <div className="flex flex-wrap gap-2">
            <PrintButton />
            <ButtonLink href={path('counter')}>{t('toCounter')}</ButtonLink>
            <SignOutForm locale={locale} look="plain" />
          </div>
        </div>
        <ShiftSummary
          summary={summary}
          merchant={access.merchant.name}
          member={access.user.name}
          test={access.scope.environment === 'sandbox'}
          locale={locale}
          now={runtime.clock()}
        />
      </main>
    </Texts>
  );
}
