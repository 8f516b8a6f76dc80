import { brandStyle } from '@/components/pay/brand';
import type { FormProblem } from '@/components/pay/form-problem';
import { previewBill } from '@/components/pay/link-preview';
import { PayNotice } from '@/components/pay/notice-page';
import { PayDocument } from '@/components/pay/pay-page';
import { RECEIPT_PARTS, ReceiptDocument } from '@/components/pay/receipt/receipt-page';
import { viewReceipt } from '@/components/pay/receipt/receipt-view';
import { ShareDocument } from '@/components/pay/receipt/share';
import { SHARE_PARTS } from '@/components/pay/receipt/share-links';
import { htmlResponse } from '@/components/pay/render';
import { makeShortLink } from '@/lib/bills/links/make-short-link';
import { baseUrl } from '@/lib/config/settings';
import type { Environment } from '@/lib/core/scope';
import type { PayDevice } from '@/lib/http/pay-device';
import type { Locale } from '@/lib/i18n/locale';
import { showPayPage } from '@/lib/payments/page/show-pay-page';
import { listReversedPayments, showReceipt } from '@/lib/receipts/show-receipt';
import type { WebRuntime } from '@/lib/server/web-runtime';
import { firstValues } from './form-values';
import { showStop } from './stop';

/** A request for a bill's payment page. */
export interface Visit {
  readonly runtime: WebRuntime;
  readonly environment: Environment;
  readonly id: string;
  readonly query: URLSearchParams;
  /** The language that the customer chose, now or on an earlier visit; null if there is none. */
  readonly chosen: Locale | null;
  /** The chosen language, otherwise the browser's. */
  readonly locale: Locale;
  readonly device: PayDevice;
}

/**
 * Answers with what the query asks for: the payment page of a bill, the version of this page, the receipt or the QR code.
 * @param wrong the problem of a submitted form, or null.
 */
export async function show(visit: Visit, wrong: FormProblem | null): Promise<Response> {
  const { runtime, environment, id, query, device } = visit;
  if (wrong === null && query.get('show') === 'stop') return showStop(visit);
  const page = await showPayPage(runtime, environment, query.get('bill') ?? '', device.attemptId);
  if (!page) {
    const { locale } = visit;
    return htmlResponse(
      <PayNotice
        locale={locale}
        kind="notFound"
        otherLanguage={otherLanguage(query, locale)}
        contact={runtime.settings.OPERATOR_CONTACT}
      />,
      404,
      id,
    );
  }
  // The customer's choice of language has priority over the merchant's, and the merchant's over the browser's.
  const locale = visit.chosen ?? page.bill.merchantLanguage ?? visit.locale;
  if (query.get('part') === 'version') {
    return new Response(page.version, {
      headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', 'x-request-id': id },
    });
  }
  const brand = brandStyle(page.bill);
  if (query.get('show') === 'qr') {
    const link = await makeShortLink(runtime, page.bill);
    return htmlResponse(<ShareDocument page={page} link={link} locale={locale} />, 200, id, { ...SHARE_PARTS, brand });
  }
  const receipt = await showReceipt(runtime, page.bill);
  if (query.get('show') === 'receipt') {
    const shown = receipt ?? (await listReversedPayments(runtime, page.bill));
    if ('code' in shown || shown.length > 0) {
      const link = await makeShortLink(runtime, page.bill);
      const document = <ReceiptDocument bill={page.bill} view={viewReceipt(page.bill, shown, locale)} link={link} locale={locale} />;
      return htmlResponse(document, 200, id, { ...RECEIPT_PARTS, brand });
    }
  }
  const values = wrong?.typed ?? firstValues(page, device);
  const refresh = query.get('refresh') !== 'off';
  return htmlResponse(
    <PayDocument
      {...{ page, receipt, locale, values, wrong, refresh }}
      preview={previewBill(page, baseUrl(runtime.settings, environment), locale)}
      now={runtime.clock()}
    />,
    wrong ? 422 : 200,
    id,
    { brand },
  );
}

/** Returns the address of the same bill in the other language. */
export function otherLanguage(query: URLSearchParams, locale: Locale): string {
  return `/pay?bill=${encodeURIComponent(query.get('bill') ?? '')}&lang=${locale === 'sw' ? 'en' : 'sw'}`;
}
