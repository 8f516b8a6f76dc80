import { DeliveryAttempts } from '@/components/dashboard/webhooks/delivery-attempts';
import { holdText } from '@/components/dashboard/webhooks/hold-notice';
import { Fold } from '@/components/ui/fold';
import type { TimelineEntry } from '@/lib/bills/page/timeline';
import { isNetwork, WALLETS } from '@/lib/core/network';
import { formatMoney } from '@/lib/i18n/format';
import { type Locale, translator } from '@/lib/i18n/translator';
import type { MessageView } from '@/lib/payments/messages/message-view';
import { isStopped } from '@/lib/webhooks/endpoint/hold-rules';
import { AttemptBadge, DeliveryBadge } from '../badges';
import { EntryLine, MoneyEntry, nameOf } from './money-entry';

const PROVIDERS: ReadonlyMap<string, string> = new Map([
  ['mpesa', 'M-Pesa'],
  ['snippe', 'Snippe'],
  ['clickpesa', 'ClickPesa'],
  ['selcom', 'Selcom'],
  ['azampay', 'AzamPay'],
  ['airtel', 'Airtel Money'],
  ['mixx', 'Mixx by Yas'],
  ['pawapay', 'pawaPay'],
  ['sandbox', 'Sandbox'],
]);

const providerName = (provider: string) => PROVIDERS.get(provider) ?? provider;

export interface EntryProps {
  readonly entry: TimelineEntry;
  /** The label of the API key that created the bill. */
  readonly keyLabel: string | null;
  readonly locale: Locale;
}

export function Entry({ entry, keyLabel, locale }: EntryProps) {
  const t = translator(locale, 'Bill');
  const page = translator(locale, 'BillPage');
  switch (entry.kind) {
    case 'created':
      return <EntryLine title={t('eventCreated')}>{entry.by && <CreatedBy by={entry.by} keyLabel={keyLabel} locale={locale} />}</EntryLine>;
    case 'prompt':
      return <PromptEntry entry={entry} locale={locale} />;
    case 'moved':
      return (
        <EntryLine title={t(`moved_${entry.state}`)}>
          {entry.reason && <p>{translator(locale, 'AttemptReason')(entry.reason)}</p>}
          {entry.via && <p className="text-sm">{t(`via_${entry.via}`)}</p>}
        </EntryLine>
      );
    case 'message':
      return (
        <EntryLine title={page(`message_${entry.message.kind}`, { provider: providerName(entry.message.provider) })}>
          <RawMessage message={entry.message} locale={locale} />
        </EntryLine>
      );
    case 'note':
      return (
        <EntryLine title={page('note', { name: nameOf(entry.by) })}>
          <p className="my-1 rounded-lg bg-sunken p-3 whitespace-pre-line">{entry.text}</p>
        </EntryLine>
      );
    case 'closed':
    case 'reopened':
      return (
        <EntryLine title={page(`${entry.kind}By`)}>
          <p className="text-sm">{t('why', { name: nameOf(entry.by), text: entry.why })}</p>
        </EntryLine>
      );
    case 'infoChanged':
      return <EntryLine title={translator(locale, 'BillInfo')('changedBy', { name: nameOf(entry.by) })} />;
    case 'rerouted':
      return (
        <EntryLine title={page('rerouted', { mobile: entry.mobile ?? '', provider: providerName(entry.provider) })}>
          <p>{entry.reason ? translator(locale, 'AttemptReason')(entry.reason) : page('notReached')}</p>
        </EntryLine>
      );
    case 'released':
      return (
        <EntryLine title={t('released', { mobile: entry.mobile ?? '' })}>
          <p>{t('releasedText')}</p>
          <p className="text-sm">{t('why', { name: nameOf(entry.by), text: entry.why })}</p>
        </EntryLine>
      );
    case 'status':
      return <EntryLine title={t('statusNow', { status: translator(locale, 'Status')(entry.status) })} />;
    case 'webhook':
      return (
        <EntryLine
          title={t('webhook', { status: translator(locale, 'Status')(entry.delivery.billStatus) })}
          badge={<DeliveryBadge delivery={entry.delivery} locale={locale} />}
        >
          {isStopped(entry.delivery.hold) && <p>{holdText(entry.delivery.hold, locale)}</p>}
          {entry.delivery.attempts.length > 0 && (
            <div className="my-2">
              <DeliveryAttempts delivery={entry.delivery} locale={locale} />
            </div>
          )}
        </EntryLine>
      );
    case 'other':
      return <EntryLine title={t('other', { type: entry.type })} />;
    default:
      return <MoneyEntry entry={entry} locale={locale} />;
  }
}

function PromptEntry({ entry, locale }: { readonly entry: Extract<TimelineEntry, { kind: 'prompt' }>; readonly locale: Locale }) {
  const t = translator(locale, 'Bill');
  const { prompt, reason, by } = entry;
  const asked = {
    api: t('fromApi'),
    web: t('fromWeb'),
    dashboard: translator(locale, 'BillPage')('fromDashboard', { name: nameOf(by ?? '') }),
  };
  return (
    <EntryLine
      title={t('promptTitle', { amount: formatMoney(prompt.amount), mobile: prompt.mobile })}
      badge={<AttemptBadge state={prompt.state} locale={locale} />}
    >
      {reason && <p>{translator(locale, 'AttemptReason')(reason)}</p>}
      <p className="text-sm">{asked[prompt.source]}</p>
      <p className="text-sm text-muted">
        {t('network')}: {WALLETS[isNetwork(prompt.network) ? prompt.network : 'other']}
        {prompt.provider && ` · ${t('provider')}: ${providerName(prompt.provider)}`} · {t('ourReference')}: {prompt.ourReference}
      </p>
    </EntryLine>
  );
}

function CreatedBy({ by, keyLabel, locale }: { readonly by: string; readonly keyLabel: string | null; readonly locale: Locale }) {
  const t = translator(locale, 'Bill');
  const [kind = '', name = ''] = by.split(/:(.*)/s);
  if (kind !== 'key') return <p className="text-sm">{t('byOther', { name: name || kind })}</p>;
  const label = keyLabel && translator(locale, 'BillPage')('byKeyLabel', { label: keyLabel, key: name });
  return <p className="text-sm">{label ?? t('byKey', { key: name })}</p>;
}

/** A provider message as it was received, without secrets. */
function RawMessage({ message, locale }: { readonly message: MessageView; readonly locale: Locale }) {
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
