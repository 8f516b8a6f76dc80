import type { ReactNode } from 'react';
import { PAY_POLLER } from '@/components/pay/generated/poller';
import { type Locale, translator } from '@/lib/i18n/translator';
import type { PayPage } from '@/lib/payments/page/show-pay-page';
import { type BrandedMerchant, brandStyle, MerchantMark } from './brand';
import { Icon } from './icon';
import { PAGE_ICON } from './page-icon';
import { PAY_STYLE } from './style';

const NOTICE_ICONS = { notFound: 'question', error: 'cross', tooBusy: 'clock' } as const;

type PayNoticeProps = Pick<PayShellProps, 'locale' | 'otherLanguage'> & { readonly kind: keyof typeof NOTICE_ICONS };

/** A page for an invalid link or an internal error. */
export function PayNotice({ locale, kind, otherLanguage }: PayNoticeProps) {
  const t = translator(locale, 'Pay');
  return (
    <PayShell locale={locale} title={t(`${kind}Title`)} version={kind} otherLanguage={otherLanguage}>
      <section className="card bad">
        <h1>
          <Icon name={NOTICE_ICONS[kind]} />
          <span>{t(`${kind}Title`)}</span>
        </h1>
        <p>{t(`${kind}Text`)}</p>
      </section>
    </PayShell>
  );
}

interface PayShellProps {
  readonly locale: Locale;
  readonly title: string;
  readonly version: string;
  /** The address of the page. Omit it if the page never changes. */
  readonly here?: string | undefined;
  /** How often the script polls; null if it does not. */
  readonly pace?: PayPage['pace'];
  readonly otherLanguage: string;
  /** The reload for browsers without JavaScript. */
  readonly reload?: { readonly seconds: number; readonly address: string } | undefined;
  readonly merchant?: BrandedMerchant;
  /** What only this page inlines. The response must allow both: see `htmlResponse`. */
  readonly style?: string;
  readonly script?: string;
  readonly children: ReactNode;
}

/** The frame of every page for customers. */
export function PayShell({ locale, title, version, here, pace, otherLanguage, reload, merchant, style, script, children }: PayShellProps) {
  const t = translator(locale, 'Pay');
  return (
    <html lang={locale} data-version={version} data-here={here} data-pace={pace ?? undefined}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="referrer" content="same-origin" />
        <link rel="icon" href={merchant?.logoHash ? `/pay/logo/${merchant.merchantId}/${merchant.logoHash}` : PAGE_ICON} />
        <title>{title}</title>
        <style dangerouslySetInnerHTML={{ __html: PAY_STYLE }} />
        {style && <style dangerouslySetInnerHTML={{ __html: style }} />}
        {merchant && <style dangerouslySetInnerHTML={{ __html: brandStyle(merchant) }} />}
        {reload && (
          <noscript>
            <meta httpEquiv="refresh" content={`${reload.seconds};url=${reload.address}`} />
          </noscript>
        )}
      </head>
      <body>
        <header>
          {merchant ? <MerchantMark merchant={merchant} locale={locale} /> : <b>Bili</b>}
          <a href={otherLanguage} lang={locale === 'sw' ? 'en' : 'sw'} hrefLang={locale === 'sw' ? 'en' : 'sw'}>
            {t('otherLanguage')}
          </a>
        </header>
        {here && (
          <div className="off">
            <p id="off" className="card wait" role="status" hidden>
              {t('offline')}
            </p>
          </div>
        )}
        <main>{children}</main>
        {merchant && <footer>Bili</footer>}
        {here && (
          <>
            <p id="say" role="status" />
            <script dangerouslySetInnerHTML={{ __html: PAY_POLLER }} />
          </>
        )}
        {script && <script dangerouslySetInnerHTML={{ __html: script }} />}
      </body>
    </html>
  );
}

export function Fact({ term, children }: { readonly term: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}
