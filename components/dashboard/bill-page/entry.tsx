import { DeliveryAttempts } from '@/components/dashboard/webhooks/delivery-attempts';
import { holdText } from '@/components/dashboard/webhooks/hold-notice';
import { CopiedText } from '@/components/ui/copied-text';
import { Fold } from '@/components/ui/fold';
import { Icon } from '@/components/ui/icon';
import type { TimelineEntry } from '@/lib/bills/page/timeline';
import { isNetwork, WALLETS } from '@/lib/core/network';
import { formatClock, formatMoney } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import type { MessageView } from '@/lib/payments/messages/message-view';
import { isStopped } from '@/lib/webhooks/endpoint/hold-rules';
import { AttemptBadge, DeliveryBadge } from '../badges';
import { entryLook } from './entry-look';
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
  /** The steps of a payment request, oldest first. */
  readonly steps: readonly TimelineEntry[];
  /** The label of the API key that created the bill; null if no API key created it. */
  readonly keyLabel: string | null;
  readonly locale: Locale;
}

export function Entry({ entry, steps, keyLabel, locale }: EntryProps) {
  const t = translator(locale, 'Bill');
  const page = translator(locale, 'BillPage');
  switch (entry.kind) {
    case 'created':
      return <EntryLine title={t('eventCreated')}>{entry.by && <CreatedBy by={entry.by} keyLabel={keyLabel} locale={locale} />}</EntryLine>;
    case 'prompt':
      return <PromptEntry entry={entry} steps={steps} locale={locale} />;
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
    case 'expired':
      return <EntryLine title={translator(locale, 'BillExtras')('expired')} />;
    case 'infoChanged':
      return (
        <EntryLine title={translator(locale, 'BillInfo')('changed')}>
          <p className="text-sm">{t('byOther', { name: nameOf(entry.by) })}</p>
        </EntryLine>
      );
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

interface PromptEntryProps extends Pick<EntryProps, 'steps' | 'locale'> {
  readonly entry: Extract<TimelineEntry, { kind: 'prompt' }>;
}

/**
 * A payment request with its outcome. Below are its steps, our reference and the provider's reference, hidden until somebody opens them.
 */
function PromptEntry({ entry, steps, locale }: PromptEntryProps) {
  const t = translator(locale, 'Bill');
  const page = translator(locale, 'BillPage');
  const { prompt, reason, by } = entry;
  const asked = { api: t('fromApi'), web: t('fromWeb'), dashboard: page('fromDashboard', { name: nameOf(by ?? '') }) };
  return (
    <EntryLine
      title={t('promptTitle', { amount: formatMoney(prompt.amount), mobile: prompt.mobile })}
      badge={<AttemptBadge state={prompt.state} locale={locale} />}
    >
      {reason && <p>{translator(locale, 'AttemptReason')(reason)}</p>}
      <p className="text-sm">{asked[prompt.source]}</p>
      <Fold title={<span className="text-small">{page('promptSteps', { count: steps.length })}</span>}>
        <ol className="mb-2 grid gap-1">
          {steps.map((step) => (
            <Step key={step.id} step={step} locale={locale} />
          ))}
        </ol>
        <p className="text-small text-muted">
          {t('network')}: {WALLETS[isNetwork(prompt.network) ? prompt.network : 'other']}
          {prompt.provider && ` · ${t('provider')}: ${providerName(prompt.provider)}`}
        </p>
        <p className="text-small text-muted">
          {t('ourReference')}: <CopiedText label={t('ourReference')} text={prompt.ourReference} />
        </p>
        {prompt.providerReference && (
          <p className="text-small text-muted">
            {page('providerReference')}: <CopiedText label={page('providerReference')} text={prompt.providerReference} />
          </p>
        )}
      </Fold>
    </EntryLine>
  );
}

function Step({ step, locale }: { readonly step: TimelineEntry; readonly locale: Locale }) {
  const { tone, icon } = entryLook(step);
  return (
    <li className="flex gap-2 text-small">
      <time dateTime={step.at.toISOString()} className="shrink-0 text-muted tabular-nums">
        {formatClock(step.at, 'second')}
      </time>
      <Icon name={icon} className={`mt-0.5 size-3.5 ${STEP_TONES[tone]}`} />
      <div className="min-w-0">
        <Entry entry={step} steps={[]} keyLabel={null} locale={locale} />
      </div>
    </li>
  );
}

const STEP_TONES = {
  good: 'text-good-ink',
  busy: 'text-busy-ink',
  wait: 'text-amber-ink',
  bad: 'text-danger',
  quiet: 'text-muted',
} as const;

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
