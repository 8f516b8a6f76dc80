import type { ReactNode } from 'react';
import { Contact } from '@/components/pay/contact';
import { AUTH_SCRIPT } from '@/components/pay/generated/auth-script';
import { Icon } from '@/components/pay/icon';
import { PayShell } from '@/components/pay/pay-shell';
import { inTheme } from '@/components/pay/theme';
import { Illustration, type IllustrationName } from '@/components/ui/illustration';
import type { Theme } from '@/lib/entry/server/cookie-names';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import { AUTH_STYLE } from './style';

/** What a page inlines in addition to the style that all public pages share. */
export function authParts(theme: Theme) {
  return { theme, style: inTheme(AUTH_STYLE, theme), script: AUTH_SCRIPT };
}

interface AuthPageProps {
  readonly locale: Locale;
  readonly theme: Theme;
  readonly title: string;
  readonly otherLanguage: string;
  readonly art?: IllustrationName | undefined;
  readonly operator: { readonly name: string | undefined; readonly contact: string | undefined };
  readonly children: ReactNode;
}

/** A page for people who are not signed in: one card. On a large screen, a panel with the brand is beside it. It works without JavaScript. */
export function AuthPage({ locale, theme, title, otherLanguage, art, operator: { name, contact }, children }: AuthPageProps) {
  const home = translator(locale, 'Home');
  const footer = (
    <>
      {name !== undefined && <p>{home('operator', { operator: name })}</p>}
      {contact !== undefined && (
        <p>
          {home('contact')} <Contact contact={contact} />
        </p>
      )}
      <p>
        <a href={`/verify?lang=${locale}`}>{translator(locale, 'Verify')('title')}</a>
      </p>
    </>
  );
  return (
    <PayShell {...{ locale, otherLanguage, footer }} {...authParts(theme)} title={`${title} · Bili`} version="auth" wide>
      <Panel locale={locale} />
      <section className="card">
        {art && (
          <div className="art">
            <Illustration name={art} />
          </div>
        )}
        <h1>{title}</h1>
        {children}
      </section>
    </PayShell>
  );
}

/** The brand beside the card: a drawn phone with a paid bill, and what Bili is for. */
function Panel({ locale }: { readonly locale: Locale }) {
  const t = translator(locale, 'SignIn');
  return (
    <div className="panel">
      <svg viewBox="0 0 240 196" aria-hidden="true">
        <g stroke="none">
          <path fill="#ffffff1a" d="M18 100a92 92 0 0 1 184-8c2 52-30 98-88 98S18 150 18 100z" />
          <path fill="#06351f" d="M76 4h76a14 14 0 0 1 14 14v164a14 14 0 0 1-14 14H76a14 14 0 0 1-14-14V18A14 14 0 0 1 76 4z" />
          <path fill="#fff" d="M76 12h76a6 6 0 0 1 6 6v164a6 6 0 0 1-6 6H76a6 6 0 0 1-6-6V18a6 6 0 0 1 6-6z" />
          <path fill="#e2f0e8" d="M76 12h76a6 6 0 0 1 6 6v48H70V18a6 6 0 0 1 6-6z" />
          <path fill="#0b5d3b" d="M86 138h56a6 6 0 0 1 6 6v16a6 6 0 0 1-6 6H86a6 6 0 0 1-6-6v-16a6 6 0 0 1 6-6z" />
          <path fill="#ffc400" d="M122 78h96a10 10 0 0 1 10 10v36a10 10 0 0 1-10 10h-96a10 10 0 0 1-10-10V88a10 10 0 0 1 10-10z" />
        </g>
        <path stroke="#0b5d3b" strokeWidth="4" d="M82 32h42M82 48h26M82 84h18M82 100h14M82 116h18" opacity=".55" />
        <path stroke="#fff" strokeWidth="3" d="M100 152h28" />
        <path stroke="#5b4400" strokeWidth="5" d="M126 107l10 10 18-20M170 98h42M170 114h26" />
      </svg>
      <b>{t('panelTitle')}</b>
      <p>{t('panelText')}</p>
    </div>
  );
}

const TONES = { good: 'check', wait: 'clock', bad: 'cross' } as const;

interface TellProps {
  readonly tone: keyof typeof TONES;
  /** `alert` and `status`: screen readers say it as soon as the page is shown. */
  readonly role?: 'alert' | 'status';
  readonly title?: string;
  readonly children: ReactNode;
}

/** A message above the form: what went wrong, what succeeded, or how long to wait. */
export function Tell({ tone, role, title, children }: TellProps) {
  return (
    <div className={`tell ${tone}`} role={role}>
      <Icon name={TONES[tone]} />
      <div>
        {title !== undefined && (
          <p>
            <b>{title}</b>
          </p>
        )}
        {children}
      </div>
    </div>
  );
}

interface MoreLink {
  readonly href: string;
  readonly text: string;
}

/** The other ways to continue, below the form. */
export function More({ links }: { readonly links: readonly (MoreLink | false)[] }) {
  return (
    <ul className="more">
      {links.map(
        (link) =>
          link && (
            <li key={link.href}>
              <a href={link.href}>{link.text}</a>
            </li>
          ),
      )}
    </ul>
  );
}
