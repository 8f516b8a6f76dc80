import type { ReactNode } from 'react';
import { AttemptBadge, DeliveryBadge } from '@/components/dashboard/badges';
import { BILL_LOOKS } from '@/components/dashboard/bill-looks';
import { mobileText } from '@/components/dashboard/mobile-text';
import { howText, personText, refundFailureText } from '@/components/dashboard/refunds/refund-texts';
import { DeliveryAttempts } from '@/components/dashboard/webhooks/attempt-details';
import { holdText } from '@/components/dashboard/webhooks/delivery-list';
import type { Look } from '@/components/ui/badge';
import { CopiedText } from '@/components/ui/copied-value';
import { Fold } from '@/components/ui/fold';
import { Icon } from '@/components/ui/icon';
import type { GroupedEntry, PaymentEntry, TimelineEntry } from '@/lib/backoffice/bill-page/timeline';
import type { DeliveryView } from '@/lib/backoffice/delivery-log/delivery-view';
import type { HandSource } from '@/lib/gateway/ledger/rules';
import type { MessageView } from '@/lib/gateway/messages/message-view';
import type { AttemptState } from '@/lib/gateway/payments/rules';
import { isStopped } from '@/lib/gateway/webhooks/endpoint/endpoint-rules';
import { isNetwork, WALLETS } from '@/lib/platform/core/network';
import { formatClock, formatDay, formatExactInstant, formatMoney, formatRecent } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import type { IssuedWays } from '@/lib/providers/port/instrument';
import { labelOf } from '@/lib/providers/registry';
import { CorrectForm, type Correcting } from './forms';

interface EntryProps {
  readonly group: GroupedEntry;
  /** The label of the API key that created the bill; null if no API key created it. */
  readonly keyLabel: string | null;
  /** Null if the viewer may not correct recorded payments. */
  readonly correct: Correcting | null;
  readonly now: Date;
  readonly locale: Locale;
}

/** An entry of the history: a line with its time, and below it what else is known. */
export function Entry({ group, keyLabel, correct, now, locale }: EntryProps) {
  const { entry, at, status } = group;
  const { tone, icon } = entryLook(entry);
  const { title, badge, more } = describeGroup(group, { keyLabel, correct, locale });
  const exact = formatExactInstant(at, locale);
  return (
    <li className="grid grid-cols-[1.5rem_minmax(0,1fr)] gap-x-3">
      <span className="flex h-lh items-center">
        <span className={`flex size-6 shrink-0 items-center justify-center rounded-full ${TONES[tone]}`}>
          <Icon name={icon} className="size-3.5" />
        </span>
      </span>
      <div className="min-w-0 wrap-anywhere">
        <div className="sm:flex sm:items-baseline sm:justify-between sm:gap-x-3">
          <p className="flex min-w-0 flex-wrap items-center gap-x-2">
            <strong className="font-semibold">{title}</strong>
            {badge}
          </p>
          <time dateTime={at.toISOString()} title={exact} className="shrink-0 text-small text-muted">
            <span className="print:hidden">{formatRecent(at, now, locale)}</span>
            <span className="hidden print:inline">{exact}</span>
          </time>
        </div>
        <div className="text-small text-muted">
          {status && <p>{translator(locale, 'Bill')('statusNow', { status: translator(locale, 'Status')(status) })}</p>}
          {more}
        </div>
      </div>
    </li>
  );
}

const TONES = {
  good: 'bg-good-soft text-good-ink',
  busy: 'bg-busy-soft text-busy-ink',
  wait: 'bg-amber-soft text-amber-ink',
  bad: 'bg-danger-soft text-danger',
  quiet: 'bg-sunken text-muted',
} as const;

/** What an entry says: its line, a badge beside it, and what else is known. */
interface Described {
  readonly title: string;
  readonly badge?: ReactNode;
  readonly more?: ReactNode;
}

type Context = Pick<EntryProps, 'keyLabel' | 'correct' | 'locale'>;

function describeGroup({ entry, steps, payment }: GroupedEntry, context: Context): Described {
  if (entry.kind !== 'prompt') return describeEntry(entry, context);
  const { locale } = context;
  const t = translator(locale, 'Bill');
  const asked = <PromptDetails entry={entry} steps={steps} paid={payment !== null} locale={locale} />;
  if (payment) {
    const paid = describePayment(payment.payment, context);
    return {
      ...paid,
      more: (
        <>
          {paid.more}
          {asked}
        </>
      ),
    };
  }
  return {
    title: t('promptTitle', { amount: formatMoney(entry.prompt.amount), mobile: mobileText(entry.prompt.mobile, locale) }),
    badge: <AttemptBadge state={entry.prompt.state} locale={locale} />,
    more: (
      <>
        {entry.reason && <p className="text-ink">{translator(locale, 'AttemptReason')(entry.reason)}</p>}
        {asked}
      </>
    ),
  };
}

function describeEntry(entry: TimelineEntry, context: Context): Described {
  const { keyLabel, locale } = context;
  const t = translator(locale, 'Bill');
  const page = translator(locale, 'BillPage');
  switch (entry.kind) {
    case 'created':
      return { title: t('eventCreated'), more: entry.by && <CreatedBy by={entry.by} keyLabel={keyLabel} locale={locale} /> };
    case 'prompt':
      return { title: t('promptTitle', { amount: formatMoney(entry.prompt.amount), mobile: mobileText(entry.prompt.mobile, locale) }) };
    case 'moved':
      return {
        title: t(`moved_${entry.state}`),
        more: (
          <>
            {entry.reason && <p>{translator(locale, 'AttemptReason')(entry.reason)}</p>}
            {entry.via && <p>{t(`via_${entry.via}`)}</p>}
          </>
        ),
      };
    case 'message':
      return {
        title: page(`message_${entry.message.kind}`, { provider: labelOf(entry.message.provider) }),
        more: <RawMessage message={entry.message} locale={locale} />,
      };
    case 'note':
      return {
        title: page('note', { name: nameOf(entry.by) }),
        more: (
          <p className="my-1 rounded-lg bg-sunken p-3 whitespace-pre-line text-ink">
            <bdi>{entry.text}</bdi>
          </p>
        ),
      };
    case 'closed':
    case 'reopened':
      return { title: page(`${entry.kind}By`), more: <Why by={nameOf(entry.by)} text={entry.why} locale={locale} /> };
    case 'expired':
      return { title: translator(locale, 'BillExtras')('expired') };
    case 'infoChanged':
      return { title: translator(locale, 'BillInfo')('changed'), more: <p>{t('byOther', { name: nameOf(entry.by) })}</p> };
    case 'instrumentAsked':
      return {
        title: translator(locale, 'BillWays')('asked', { amount: formatMoney(entry.amount) }),
        more: <p>{askerText(entry.by, locale)}</p>,
      };
    case 'rerouted':
      return {
        title: page('rerouted', { mobile: mobileText(entry.mobile ?? '', locale), provider: labelOf(entry.provider) }),
        more: <p>{entry.reason ? translator(locale, 'AttemptReason')(entry.reason) : page('notReached')}</p>,
      };
    case 'released':
      return {
        title: t('released', { mobile: mobileText(entry.mobile ?? '', locale) }),
        more: (
          <>
            <p>{t('releasedText')}</p>
            <Why by={nameOf(entry.by)} text={entry.why} locale={locale} />
          </>
        ),
      };
    case 'status':
      return { title: t('statusNow', { status: translator(locale, 'Status')(entry.status) }) };
    case 'webhook':
      return {
        title: t('webhook', { status: translator(locale, 'Status')(entry.delivery.billStatus) }),
        badge: <DeliveryBadge delivery={entry.delivery} locale={locale} />,
        more: <Webhook delivery={entry.delivery} locale={locale} />,
      };
    case 'payment':
      return describePayment(entry.payment, context);
    case 'other':
      return { title: t('other', { type: entry.type }) };
    default:
      return describeMoney(entry, locale);
  }
}

/** The attempts of a webhook, hidden until somebody opens them. */
function Webhook({ delivery, locale }: { readonly delivery: DeliveryView; readonly locale: Locale }) {
  const { hold, attempts } = delivery;
  return (
    <>
      {isStopped(hold) && <p>{holdText(hold, locale)}</p>}
      {attempts.length > 0 && (
        <Fold
          className="-mb-2"
          title={<span className="text-small">{translator(locale, 'BillPage')('webhookAttempts', { count: attempts.length })}</span>}
        >
          <div className="my-2 text-ink">
            <DeliveryAttempts delivery={delivery} locale={locale} />
          </div>
        </Fold>
      )}
    </>
  );
}

interface PromptDetailsProps {
  readonly entry: Extract<TimelineEntry, { kind: 'prompt' }>;
  readonly steps: readonly TimelineEntry[];
  readonly paid: boolean;
  readonly locale: Locale;
}

/** Who sent a payment request. Below are its steps, our reference and the provider's reference, hidden until somebody opens them. */
function PromptDetails({ entry: { prompt, by, at }, steps, paid, locale }: PromptDetailsProps) {
  const t = translator(locale, 'Bill');
  const page = translator(locale, 'BillPage');
  const asked = { api: t('fromApi'), web: t('fromWeb'), dashboard: page('fromDashboard', { name: nameOf(by ?? '') }) };
  return (
    <>
      {!paid && <p>{asked[prompt.source]}</p>}
      <Fold className="-mb-2" title={<span className="text-small">{page('promptSteps', { count: steps.length })}</span>}>
        {paid && <p>{asked[prompt.source]}</p>}
        <ol className="mb-2 grid gap-1 text-ink">
          {steps.map((step) => (
            <Step key={step.id} step={step} locale={locale} />
          ))}
        </ol>
        <p>
          {page('requestedAt', { time: formatExactInstant(at, locale) })} · {t('network')}:{' '}
          {WALLETS[isNetwork(prompt.network) ? prompt.network : 'other']}
          {prompt.provider && (
            <>
              {' · '}
              <span>
                {t('provider')}: {labelOf(prompt.provider)}
              </span>
            </>
          )}
        </p>
        <p>
          {t('ourReference')}: <CopiedText label={t('ourReference')} text={prompt.ourReference} />
        </p>
        {prompt.providerReference && (
          <p>
            {page('providerReference')}: <CopiedText label={page('providerReference')} text={prompt.providerReference} />
          </p>
        )}
      </Fold>
    </>
  );
}

function Step({ step, locale }: { readonly step: TimelineEntry; readonly locale: Locale }) {
  const { tone, icon } = entryLook(step);
  const { title, more } = describeEntry(step, { keyLabel: null, correct: null, locale });
  return (
    <li className="flex gap-2">
      <time dateTime={step.at.toISOString()} className="shrink-0 text-muted tabular-nums">
        {formatClock(step.at, 'second')}
      </time>
      <Icon name={icon} className={`mt-0.5 size-3.5 ${STEP_TONES[tone]}`} />
      <div className="min-w-0">
        <strong>{title}</strong>
        {more}
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

/** Who did something, and the reason that this person typed. */
function Why({ by, text, locale }: { readonly by: string; readonly text: string; readonly locale: Locale }) {
  return (
    <p>
      {translator(locale, 'Bill')('byOther', { name: by })}: <bdi>{text}</bdi>
    </p>
  );
}

function CreatedBy({ by, keyLabel, locale }: { readonly by: string; readonly keyLabel: string | null; readonly locale: Locale }) {
  const t = translator(locale, 'Bill');
  const [kind = '', name = ''] = by.split(/:(.*)/s);
  if (kind !== 'key') return <p>{t('byOther', { name: name || kind })}</p>;
  const label = keyLabel && translator(locale, 'BillPage')('byKeyLabel', { label: keyLabel });
  return <p>{label ?? t('byKey', { key: name })}</p>;
}

/** A provider message as it was received, without secrets. */
function RawMessage({ message, locale }: { readonly message: MessageView; readonly locale: Locale }) {
  const t = translator(locale, 'BillPage');
  const { httpStatus, error, headers, body, cut } = message;
  return (
    <>
      {httpStatus !== null && <p>{t('httpStatus', { status: String(httpStatus) })}</p>}
      {error !== null && <p>{t('noAnswer', { error })}</p>}
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

const ATTEMPT_LOOKS: Readonly<Record<AttemptState, Look>> = {
  QUEUED: { tone: 'busy', icon: 'phone' },
  SENDING: { tone: 'busy', icon: 'phone' },
  AWAITING_CUSTOMER: { tone: 'busy', icon: 'phone' },
  UNKNOWN: { tone: 'wait', icon: 'question' },
  SUCCEEDED: { tone: 'good', icon: 'check' },
  FAILED: { tone: 'bad', icon: 'cross' },
  EXPIRED: { tone: 'wait', icon: 'clock' },
  CANCELLED: { tone: 'quiet', icon: 'cross' },
};

const LOOKS: Readonly<Record<Exclude<TimelineEntry['kind'], 'prompt' | 'moved' | 'payment' | 'status' | 'webhook'>, Look>> = {
  created: { tone: 'quiet', icon: 'document' },
  message: { tone: 'quiet', icon: 'list' },
  rerouted: { tone: 'wait', icon: 'retry' },
  released: { tone: 'wait', icon: 'pause' },
  refundAsked: { tone: 'wait', icon: 'back' },
  refundApproved: { tone: 'quiet', icon: 'check' },
  refundFailed: { tone: 'bad', icon: 'cross' },
  unmatched: { tone: 'wait', icon: 'question' },
  conflict: { tone: 'wait', icon: 'question' },
  contradicted: { tone: 'wait', icon: 'question' },
  corrected: { tone: 'quiet', icon: 'sliders' },
  note: { tone: 'quiet', icon: 'person' },
  infoChanged: { tone: 'quiet', icon: 'document' },
  instrumentAsked: { tone: 'quiet', icon: 'list' },
  closed: { tone: 'quiet', icon: 'lock' },
  expired: { tone: 'quiet', icon: 'clock' },
  reopened: { tone: 'quiet', icon: 'retry' },
  other: { tone: 'quiet', icon: 'circle' },
};

/** Returns the icon and colour of an entry of the history. Different outcomes have different icons. */
function entryLook(entry: TimelineEntry): Look {
  switch (entry.kind) {
    case 'prompt':
      return ATTEMPT_LOOKS[entry.prompt.state];
    case 'moved':
      return ATTEMPT_LOOKS[entry.state];
    case 'payment':
      return entry.payment.amount < 0n ? { tone: 'wait', icon: 'coin' } : { tone: 'good', icon: 'coin' };
    case 'status':
      return BILL_LOOKS[entry.status];
    case 'webhook':
      return { tone: entry.delivery.state === 'EXHAUSTED' ? 'bad' : 'quiet', icon: 'send' };
    default:
      return LOOKS[entry.kind];
  }
}

type Money = Extract<
  TimelineEntry,
  { kind: 'refundAsked' | 'refundApproved' | 'refundFailed' | 'unmatched' | 'conflict' | 'contradicted' | 'corrected' }
>;

/** Describes an entry about money that is not a payment. */
function describeMoney(entry: Money, locale: Locale): Described {
  const t = translator(locale, 'Bill');
  const receipt = <Receipt number={entry.transactionId} locale={locale} />;
  switch (entry.kind) {
    case 'refundAsked':
    case 'refundApproved':
    case 'refundFailed':
      return {
        title: t(entry.kind, { amount: formatMoney(entry.amount) }),
        more: (
          <>
            {receipt}
            {entry.kind === 'refundAsked' && <Why by={personText(entry.by, locale)} text={entry.why} locale={locale} />}
            {entry.kind === 'refundApproved' && <p>{t('byOther', { name: personText(entry.by, locale) })}</p>}
            {entry.kind === 'refundFailed' && <p>{refundFailureText(entry, entry.at, locale)}</p>}
          </>
        ),
      };
    case 'corrected':
      return {
        title: t('corrected', { from: formatMoney(entry.from), to: formatMoney(entry.to) }),
        more: (
          <>
            {receipt}
            <p>{t('correctedText')}</p>
            <Why by={nameOf(entry.by)} text={entry.why} locale={locale} />
          </>
        ),
      };
    case 'contradicted':
      return {
        title: t('contradicted', { amount: formatMoney(entry.amount) }),
        more: (
          <>
            {receipt}
            <p>{t('contradictedText', { amount: formatMoney(entry.recorded) })}</p>
          </>
        ),
      };
    case 'unmatched':
    case 'conflict':
      return {
        title: t(entry.kind, { amount: formatMoney(entry.amount) }),
        more: (
          <>
            {receipt}
            <p>{t(`${entry.kind}Text`)}</p>
          </>
        ),
      };
  }
}

/** Describes a payment, a reversal, a refund or a correction. */
function describePayment(payment: PaymentEntry['payment'], { correct, locale }: Context): Described {
  const t = translator(locale, 'Bill');
  const { amount, kind, transactionId, mobile, late, amountDiffers, allocatedBy, source, instrument, reason } = payment;
  const back = amount < 0n;
  if (kind === 'correction') {
    return {
      title: back ? t('correctedLess', { amount: formatMoney(-amount) }) : t('correctedMore', { amount: formatMoney(amount) }),
      more: (
        <>
          <Receipt number={transactionId} locale={locale} />
          <Why by={nameOf(allocatedBy)} text={reason ?? ''} locale={locale} />
        </>
      ),
    };
  }
  if (!back && source !== 'provider') return describeRecorded(payment, source, { correct, locale });
  // A refund by hand has no receipt number of a provider.
  const byHand = back && source !== 'provider';
  return {
    title: t(kind, { amount: formatMoney(back ? -amount : amount) }),
    more: (
      <>
        {!byHand && <Receipt number={transactionId} locale={locale} />}
        {mobile && (
          <p>
            {t(back ? 'backTo' : 'payer')} {mobileText(mobile, locale)}
          </p>
        )}
        {instrument && !back && <p>{paidByText(instrument, locale)}</p>}
        {late && <p>{instrument ? translator(locale, 'BillWays')('late') : t('late')}</p>}
        {amountDiffers && <p>{t('amountDiffers')}</p>}
        {allocatedBy !== 'gateway' &&
          (byHand ? (
            <Why by={nameOf(allocatedBy)} text={howText(source, locale)} locale={locale} />
          ) : (
            <p>{t('allocatedBy', { name: nameOf(allocatedBy) })}</p>
          ))}
      </>
    ),
  };
}

/** Describes money that a person received. */
function describeRecorded(payment: PaymentEntry['payment'], source: HandSource, { correct, locale }: Omit<Context, 'keyLabel'>): Described {
  const t = translator(locale, 'RecordPayment');
  const slip = translator(locale, 'BillForms')('record_slip');
  const { amount, transactionId, paymentId, allocatedBy, happenedAt, note } = payment;
  return {
    title: t(`entry_${source}`, { amount: formatMoney(amount) }),
    more: (
      <>
        {transactionId !== paymentId && (
          <p>
            {slip}: <CopiedText label={slip} text={transactionId} />
          </p>
        )}
        <p>
          {translator(locale, 'Bill')('byOther', { name: personText(allocatedBy, locale) })}
          {happenedAt && ` · ${t('receivedOn', { day: formatDay(happenedAt, locale) })}`}
        </p>
        {note && (
          <p>
            <bdi>{note}</bdi>
          </p>
        )}
        {correct && <CorrectForm {...correct} payment={paymentId} />}
      </>
    ),
  };
}

/** Returns by which ways an instrument could be paid. The provider does not say which of them the customer used. */
function paidByText({ number, qr, link }: IssuedWays, locale: Locale): string {
  const t = translator(locale, 'BillWays');
  const ways = [number !== null && t('byNumber', { number }), qr !== null && t('byQr'), link !== null && t('byLink')];
  return t('paidBy', { ways: ways.filter((way) => way !== false).join(' / ') });
}

/** Returns who asked for other ways to pay. */
function askerText(by: string, locale: Locale): string {
  const t = translator(locale, 'BillWays');
  if (by.startsWith('user:') || by.startsWith('key:')) return translator(locale, 'Bill')('byOther', { name: personText(by, locale) });
  return t(by === 'customer' ? 'askedByCustomer' : 'askedByBili');
}

function Receipt({ number, locale }: { readonly number: string; readonly locale: Locale }) {
  const label = translator(locale, 'Bill')('receipt');
  return (
    <p>
      {label}: <CopiedText label={label} text={number} />
    </p>
  );
}

/** Returns `asha@example.com` for `user:asha@example.com`. */
function nameOf(actor: string): string {
  return actor.replace(/^\w+:/, '');
}
