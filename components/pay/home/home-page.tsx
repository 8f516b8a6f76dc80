import type { ReactNode } from 'react';
import { WALLETS } from '@/lib/core/network';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import { Contact } from '../contact';
import { PayShell } from '../pay-shell';
import { ReceiptCodeForm } from '../receipt/code-form';

/** The style of the home page. Only this page inlines it. */
const HOME_STYLE = `
.hero{padding:1rem 0 .5rem}
.hero h1{display:block;font-size:2rem;line-height:1.15;letter-spacing:-.02em}
.hero p{font-size:1.125rem}
.oper{display:flex;align-items:center}
.oper img{flex:none;margin-right:.75rem;border-radius:.375rem}
.two{display:flex;flex-wrap:wrap;margin:0 -.25rem}
.two .button{flex:1 1 11rem;width:auto;margin:.5rem .25rem 0}
.card h2{font-size:1.25rem}
.wide footer{text-align:left}
.fill{background:#0b5d3b;color:#fff}
@media(min-width:48rem){.home{display:flex;flex-wrap:wrap;margin:0 -.375rem}.home>*{flex:1 1 20rem;margin:0 .375rem .75rem}.wide header,.wide main,.wide footer{max-width:52rem}.hero h1{font-size:2.75rem}}
@media screen and (prefers-color-scheme:dark){.fill{background:#5fcf98;color:#0c1410}}`;

/** What the page inlines in addition to the style and script that all public pages share. */
export const HOME_PARTS = { style: HOME_STYLE };

interface HomeDocumentProps {
  readonly operator: {
    readonly name: string | null;
    readonly contact: string | null;
    /** The operator's logo as a data URL, with its size in CSS pixels. */
    readonly logo: { readonly source: string; readonly width: number; readonly height: number } | null;
  };
  /** Whether anybody may open an account. */
  readonly open: boolean;
  readonly locale: Locale;
}

/** The home page for people who are not signed in: what Bili does, and links for customers and merchants. It needs no JavaScript. */
export function HomeDocument({ operator: { name, contact, logo }, open, locale }: HomeDocumentProps) {
  const t = translator(locale, 'Home');
  const { other, ...operated } = WALLETS;
  const wallets = new Intl.ListFormat(locale, { type: 'disjunction' }).format(Object.values(operated));
  return (
    <PayShell
      locale={locale}
      title={`${name ?? 'Bili'} · ${t('title')}`}
      version="home"
      otherLanguage={`/?lang=${locale === 'sw' ? 'en' : 'sw'}`}
      {...HOME_PARTS}
      wide
    >
      <section className="hero">
        <h1>{t('heading')}</h1>
        <p>{t('intro', { wallets })}</p>
        {name !== null && (
          <p className="oper">
            {logo && (
              // biome-ignore lint/performance/noImgElement: Next.js does not render this page, and the image is in the page itself.
              <img src={logo.source} alt="" width={logo.width} height={logo.height} />
            )}
            <span>{t('operator', { operator: name })}</span>
          </p>
        )}
      </section>
      <div className="home">
        <Panel title={t('payerTitle')}>
          <p>{t('payerText')}</p>
          <p className="small">{t('pin')}</p>
        </Panel>
        <Panel title={t('merchantTitle')}>
          <p>{t('merchantText')}</p>
          <p className="two">
            <a className="button fill" href="/sign-in">
              {t('signIn')}
            </a>
            {open && (
              <a className="button" href="/sign-up">
                {t('signUp')}
              </a>
            )}
          </p>
          <p className="small">
            <a href={locale === 'sw' ? '/docs/sw' : '/docs'}>{t('developers')}</a>
          </p>
          {contact === null ? (
            !open && <p className="small">{t('byInvitationOnly')}</p>
          ) : (
            <p className="small">
              {t(open ? 'contact' : 'byInvitation')} <Contact contact={contact} />
            </p>
          )}
        </Panel>
        <Panel title={translator(locale, 'Verify')('title')}>
          <ReceiptCodeForm locale={locale} />
        </Panel>
      </div>
    </PayShell>
  );
}

function Panel({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="card">
      <h2>{title}</h2>
      {children}
    </section>
  );
}
