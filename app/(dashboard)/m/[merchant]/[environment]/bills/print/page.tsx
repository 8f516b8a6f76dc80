import { type PageProps, titled } from '@/app/page-props';
import { CodeSheet } from '@/components/dashboard/bill-print/code-sheet';
import { NotAllowed } from '@/components/dashboard/shell/not-allowed';
import { listBillCodes } from '@/lib/bills/bulk/list-codes';
import { openVisit } from '@/lib/server/visit';

export const generateMetadata = titled('PrintCodes', 'title');

/** The QR codes of several bills, to print. The page has no navigation, so that it looks the same on the screen and on paper. */
export default async function PrintCodesPage({ params, searchParams }: PageProps) {
  const { runtime, access, locale, path } = await openVisit(await params, 'bills');
  const ids = [(await searchParams).id ?? []].flat();
  const listed = await listBillCodes(runtime, access, ids);
  if (!listed.ok && listed.error === 'not_allowed') return <NotAllowed access={access} permission="bills.view" locale={locale} />;
  const sheet = listed.ok ? listed.value : { codes: [], omitted: 0 };
  return <CodeSheet {...sheet} shop={access.merchant.name} back={path('bills')} locale={locale} />;
}
