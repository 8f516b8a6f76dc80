import { Illustration } from '@/components/ui/illustration';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import { AskButtons } from './contact';
import { PayShell } from './pay-shell';

const NOTICE_ART = { notFound: 'notFound', error: 'error', tooBusy: 'empty', foreignForm: 'error', onHold: 'empty' } as const;

export type NoticeKind = keyof typeof NOTICE_ART;

interface PayNoticeProps {
  readonly kind: NoticeKind;
  readonly locale: Locale;
  readonly otherLanguage: string;
  /** How to reach the operator. */
  readonly contact?: string | undefined;
  /** The address of the page to open again. Only the notice `foreignForm` shows it. */
  readonly again?: string | undefined;
}

/** A page for an invalid link, an internal error, too many requests, a form that did not come from one of our own pages, or any form on hold. */
export function PayNotice({ locale, kind, otherLanguage, contact, again }: PayNoticeProps) {
  const t = translator(locale, 'Pay');
  const help = translator(locale, 'NotFound');
  return (
    <PayShell locale={locale} title={t(`${kind}Title`)} version={kind} otherLanguage={otherLanguage}>
      <section className="card art">
        <Illustration name={NOTICE_ART[kind]} />
        <h1>{t(`${kind}Title`)}</h1>
        <p>{t(`${kind}Text`)}</p>
        {kind === 'notFound' && <p>{help('check')}</p>}
        {contact !== undefined && (
          <>
            <p>{help('contact')}</p>
            <AskButtons contact={contact} text={t('askLink')} locale={locale} />
          </>
        )}
      </section>
      {kind === 'foreignForm' && again !== undefined && (
        <a className="button" href={again}>
          {t('foreignFormAgain')}
        </a>
      )}
      {kind !== 'foreignForm' && (
        <a className="button" href={`/verify?lang=${locale}`}>
          {translator(locale, 'Verify')('title')}
        </a>
      )}
    </PayShell>
  );
}
