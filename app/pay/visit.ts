import type { PayDevice } from '@/lib/entry/http/pay-device';
import type { WebRuntime } from '@/lib/entry/server/web-runtime';
import type { PayPage } from '@/lib/gateway/payment-page/show-pay-page';
import type { Environment } from '@/lib/platform/core/scope';
import type { Locale } from '@/lib/platform/i18n/locale';

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

/** Returns the language of a bill's page. The customer's choice has priority over the merchant's, and the merchant's over the browser's. */
export function localeOf({ chosen, locale }: Pick<Visit, 'chosen' | 'locale'>, { bill }: Pick<PayPage, 'bill'>): Locale {
  return chosen ?? bill.merchantLanguage ?? locale;
}
