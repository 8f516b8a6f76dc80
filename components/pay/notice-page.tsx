import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import { Contact } from './contact';
import { Icon } from './icon';
import { PayShell } from './pay-shell';

const NOTICE_ICONS = { notFound: 'question', error: 'cross', tooBusy: 'clock', foreignForm: 'cross' } as const;

export type NoticeKind = keyof typeof NOTICE_ICONS;

interface PayNoticeProps {
  readonly kind: NoticeKind;
  readonly locale: Locale;
  readonly otherLanguage: string;
  /** How to reach the operator. Only the notice `notFound` shows it. */
  readonly contact?: string | undefined;
  /** The address of the page to open again. Only the notice `foreignForm` shows it. */
  readonly again?: string | undefined;
}

/** A page for an invalid link, an internal error, too many requests or a form that did not come from one of our own pages. */
export function PayNotice({ locale, kind, otherLanguage, contact, again }: PayNoticeProps) {
  const t = translator(locale, 'Pay');
  const help = translator(locale, 'NotFound');
  return (
    <PayShell locale={locale} title={t(`${kind}Title`)} version={kind} otherLanguage={otherLanguage}>
      <section className="card bad">
        <h1>
          <Icon name={NOTICE_ICONS[kind]} />
          <span>{t(`${kind}Title`)}</span>
        </h1>
        <p>{t(`${kind}Text`)}</p>
        {kind === 'notFound' && <p>{help('check')}</p>}
        {kind === 'notFound' && contact !== undefined && (
          <p>
            {help('contact')} <Contact contact={contact} />
          </p>
        )}
      </section>
      {kind === 'foreignForm' && again !== undefined && (
        <a className="button" href={again}>
          {t('foreignFormAgain')}
        </a>
      )}
      {kind === 'notFound' && (
        <a className="button" href={`/verify?lang=${locale}`}>
          {translator(locale, 'Verify')('title')}
        </a>
      )}
    </PayShell>
  );
}
