import { type PageProps, titled } from '@/app/page-props';
import { NotAllowed } from '@/components/dashboard/shell/shell';
import { QrCode } from '@/components/pay/qr-code';
import { groupsOf, menuLines } from '@/components/pay/way-steps';
import { ButtonLink } from '@/components/ui/links';
import { Money } from '@/components/ui/money';
import { PrintButton } from '@/components/ui/print-button';
import type { BillCode } from '@/lib/backoffice/bulk/bulk-actions';
import { listBillCodes } from '@/lib/backoffice/bulk/bulk-actions';
import { openVisit } from '@/lib/entry/server/visit';
import type { PayNumber } from '@/lib/gateway/payment-page/pay-ways';
import { formatInstant, formatMoney } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';

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

interface CodeSheetProps {
  readonly codes: readonly BillCode[];
  /** The number of selected bills that get no card. */
  readonly omitted: number;
  readonly shop: string;
  /** The address of the list. */
  readonly back: string;
  readonly locale: Locale;
}

/** Cards with the shop, the amount, the reference and the QR code of each bill. Eight of them fit on an A4 page. */
function CodeSheet({ codes, omitted, shop, back, locale }: CodeSheetProps) {
  const t = translator(locale, 'PrintCodes');
  return (
    <main className="mx-auto grid max-w-[210mm] gap-4 p-4 print:block print:max-w-none print:p-0">
      <div className="grid gap-3 print:hidden">
        <h1 className="text-title">{t('title')}</h1>
        <p className="text-muted">
          {codes.length > 0 ? t('intro', { count: codes.length }) : t('none')}{' '}
          {codes.length > 0 && omitted > 0 && t('omitted', { count: omitted })}
        </p>
        <div className="flex flex-wrap gap-3">
          {codes.length > 0 && <PrintButton text={t('print')} />}
          <ButtonLink href={back}>{t('back')}</ButtonLink>
        </div>
      </div>
      {codes.length > 0 && (
        <ul className="grid gap-px border border-line bg-line sm:grid-cols-2 print:block print:columns-2 print:gap-0 print:border-0 print:bg-transparent">
          {codes.map((code) => (
            <CodeCard key={code.bill.id} code={code} shop={shop} locale={locale} />
          ))}
        </ul>
      )}
    </main>
  );
}

interface CodeCardProps extends Pick<CodeSheetProps, 'shop' | 'locale'> {
  readonly code: BillCode;
}

/** A card of a bill. If a number was issued, it also says how to pay without a smartphone, and can be higher than the other cards. */
function CodeCard({ code: { bill, remaining, webPayUrl, ways }, shop, locale }: CodeCardProps) {
  const t = translator(locale, 'PrintCodes');
  const number = ways?.numbers[0];
  return (
    <li
      className={`grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-2 bg-surface p-4 text-ink scheme-light print:break-inside-avoid print:border print:border-dashed print:border-edge ${number ? 'print:min-h-[67mm]' : 'print:h-[67mm]'}`}
    >
      <div className="col-span-2">
        <p className="line-clamp-2 font-semibold wrap-anywhere">{shop}</p>
        <p>
          <Money text={formatMoney(remaining)} size="subfigure" />
        </p>
      </div>
      <div className="min-w-0">
        <p className="text-small">{t('reference')}</p>
        <p className="line-clamp-3 font-semibold wrap-anywhere">{bill.reference}</p>
        {number && <PrintedNumber number={number} locale={locale} />}
      </div>
      <div className={`w-32 text-center ${number ? 'print:w-[32mm]' : 'print:w-[42mm]'}`}>
        <QrCode text={webPayUrl} label={t('qrLabel', { reference: bill.reference })} />
        <p className="text-small font-semibold">{t('scan')}</p>
      </div>
      {number && (
        <div className="col-span-2 text-small wrap-anywhere">
          <p>{translator(locale, 'PayWays')('cardHow')}</p>
          <ul>
            {menuLines(number, locale).map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </div>
      )}
    </li>
  );
}

/** The number with which the bill can be paid without its link, and until when. */
function PrintedNumber({ number: { text, expiresAt }, locale }: { readonly number: PayNumber; readonly locale: Locale }) {
  const t = translator(locale, 'PayWays');
  return (
    <div className="mt-2">
      <p className="text-small">{t('cardNumber')}</p>
      <p className="font-semibold tabular-nums">{groupsOf(text).join(' ')}</p>
      {expiresAt && (
        <p className="text-small">
          {t('validUntil')} {formatInstant(expiresAt, locale)}
        </p>
      )}
    </div>
  );
}
