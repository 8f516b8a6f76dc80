import type { ReactNode } from 'react';
import { PAY_POLLER } from '@/components/pay/generated/poller';
import type { Theme } from '@/lib/entry/server/cookie-names';
import type { PayPage } from '@/lib/gateway/payment-page/show-pay-page';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import { type BrandedMerchant, brandStyle, logoPath, ShopHeader, SupportLink } from './brand';
import { PAGE_ICON, PAY_STYLE } from './style';
import { inTheme } from './theme';

/** What WhatsApp and other chats show of a link. They read it from the page's HTML. Their crawlers send no cookies and run no script. */
export interface LinkPreview {
  readonly title: string;
  readonly description: string;
  /** The absolute address of a picture of 1200 × 630 pixels. */
  readonly image: string;
}

interface PayShellProps {
  readonly locale: Locale;
  readonly title: string;
  readonly version: string;
  /** The address that the script polls. Omit it if the page never changes. */
  readonly here?: string | undefined;
  /** How often the script polls; null if it does not. */
  readonly pace?: PayPage['pace'];
  readonly otherLanguage: string;
  /** The reload for browsers without JavaScript. */
  readonly reload?: { readonly seconds: number; readonly address: string } | undefined;
  readonly merchant?: BrandedMerchant;
  /** The style and the script that only this page inlines. The response must allow both: see `htmlResponse`. */
  readonly style?: string;
  readonly script?: string;
  /** What chats show beside a link to this page. Omit it for pages that nobody sends. */
  readonly preview?: LinkPreview | undefined;
  /** Whether the page uses more than one column on large screens. Its own style says how. */
  readonly wide?: boolean;
  /** The theme that the person has chosen for the dashboard. Customers choose none. */
  readonly theme?: Theme;
  /** What the footer says instead of what Bili is. */
  readonly footer?: ReactNode;
  readonly children: ReactNode;
}

/** The frame of every page for customers. */
export function PayShell({
  locale,
  title,
  version,
  here,
  pace,
  otherLanguage,
  reload,
  merchant,
  preview,
  style,
  script,
  wide = false,
  theme = 'system',
  footer,
  children,
}: PayShellProps) {
  const t = translator(locale, 'Pay');
  return (
    <html lang={locale} data-version={version} data-here={here} data-pace={pace ?? undefined}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="referrer" content="same-origin" />
        <link
          rel="icon"
          href={merchant?.logoHash ? logoPath({ merchantId: merchant.merchantId, logoHash: merchant.logoHash }) : PAGE_ICON}
        />
        <title>{title}</title>
        {preview && <Preview preview={preview} locale={locale} />}
        <style dangerouslySetInnerHTML={{ __html: inTheme(PAY_STYLE, theme) }} />
        {style && <style dangerouslySetInnerHTML={{ __html: style }} />}
        {merchant && <style dangerouslySetInnerHTML={{ __html: brandStyle(merchant) }} />}
        {reload && (
          <noscript>
            <meta httpEquiv="refresh" content={`${reload.seconds};url=${reload.address}`} />
          </noscript>
        )}
      </head>
      <body className={wide ? 'wide' : undefined}>
        <header>
          {merchant ? (
            <ShopHeader merchant={merchant} locale={locale} />
          ) : (
            <a className="mine" href="/">
              <svg viewBox="0 0 20 24" width="18" height="22" aria-hidden="true">
                <path fill="currentColor" stroke="none" d="M1 1h18v22l-3-2.2-3 2.2-3-2.2-3 2.2-3-2.2-3 2.2z" />
                <path className="lines" d="M5 7.5h10M5 12h6" />
              </svg>
              <b>Bili</b>
            </a>
          )}
          <a href={otherLanguage} lang={locale === 'sw' ? 'en' : 'sw'} hrefLang={locale === 'sw' ? 'en' : 'sw'}>
            {t('otherLanguage')}
          </a>
        </header>
        {here && (
          <div className="off">
            <p id="off" className="card wait" role="status" hidden>
              {t('offline')}
            </p>
            <p id="unsent" className="card wait" role="alert" hidden>
              {t('unsent')}
            </p>
          </div>
        )}
        <main>{children}</main>
        <footer>
          {merchant?.supportNumber && (
            <p>
              <SupportLink number={merchant.supportNumber} locale={locale} />
            </p>
          )}
          {footer ?? t('aboutBili')}
        </footer>
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

function Preview({ preview: { title, description, image }, locale }: { readonly preview: LinkPreview; readonly locale: Locale }) {
  return (
    <>
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content="Bili" />
      <meta property="og:locale" content={locale === 'sw' ? 'sw_TZ' : 'en_GB'} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:image" content={image} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
    </>
  );
}

interface FactProps {
  readonly term: string;
  /** `over`: the value needs attention. */
  readonly tone?: 'over' | undefined;
  readonly children: ReactNode;
}

export function Fact({ term, tone, children }: FactProps) {
  return (
    <div>
      <dt>{term}</dt>
      <dd className={tone}>{children}</dd>
    </div>
  );
}
