import { Fold } from '@/components/ui/fold';
import { type Locale, translator } from '@/lib/i18n/translator';
import type { MessageView } from '@/lib/payments/messages/message-view';

/** A provider message as it was received, without secrets. */
export function RawMessage({ message, locale }: { readonly message: MessageView; readonly locale: Locale }) {
  const t = translator(locale, 'BillPage');
  const { httpStatus, error, headers, body, cut } = message;
  return (
    <>
      {httpStatus !== null && <p className="text-sm">{t('httpStatus', { status: String(httpStatus) })}</p>}
      {error !== null && <p className="text-sm">{t('noAnswer', { error })}</p>}
      <Fold title={t('showMessage')}>
        {headers.length > 0 && (
          <>
            <p className="text-sm font-semibold">{t('headers')}</p>
            <pre className="mb-2 rounded bg-ground p-2 text-xs whitespace-pre-wrap wrap-anywhere">
              {headers.map(([name, value]) => `${name}: ${value}`).join('\n')}
            </pre>
          </>
        )}
        <p className="text-sm font-semibold">{t('body')}</p>
        {body === '' ? (
          <p className="text-sm text-muted">{t('emptyBody')}</p>
        ) : (
          <pre className="rounded bg-ground p-2 text-xs whitespace-pre-wrap wrap-anywhere">{body}</pre>
        )}
        {cut && <p className="text-sm text-muted">{t('cut')}</p>}
      </Fold>
    </>
  );
}
