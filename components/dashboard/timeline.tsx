import type { ReactNode } from 'react';
import { Icon, type IconName } from '@/components/ui/icon';
import type { TimelineEntry } from '@/lib/bills/timeline';
import { isNetwork, WALLETS } from '@/lib/core/network';
import { formatExactInstant, formatMoney } from '@/lib/i18n/format';
import { type Locale, translator } from '@/lib/i18n/translator';
import { AttemptBadge, DeliveryBadge } from './badges';
import { Tries } from './tries';

/** A bill's history, oldest first. */
export function Timeline({ entries, locale }: { readonly entries: readonly TimelineEntry[]; readonly locale: Locale }) {
  return (
    <ol className="grid gap-4">
      {entries.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a history only grows at its end.
        <li key={`${index}-${entry.kind}`} className="grid grid-cols-[1.5rem_minmax(0,1fr)] gap-x-3">
          <span className="mt-0.5 flex size-6 items-center justify-center rounded-full bg-brand-soft text-brand">
            <Icon name={ICONS[entry.kind]} className="size-3.5" />
          </span>
          <div className="min-w-0 wrap-anywhere">
            <Entry entry={entry} locale={locale} />
            <p className="text-sm text-muted">
              <time dateTime={entry.at.toISOString()}>{formatExactInstant(entry.at, locale)}</time>
            </p>
          </div>
        </li>
      ))}
    </ol>
  );
}

const ICONS: Readonly<Record<TimelineEntry['kind'], IconName>> = {
  created: 'document',
  prompt: 'phone',
  moved: 'phone',
  payment: 'coin',
  released: 'phone',
  reversalAsked: 'coin',
  reversalFailed: 'coin',
  unmatched: 'question',
  conflict: 'question',
  status: 'check',
  webhook: 'send',
  other: 'circle',
};

function Entry({ entry, locale }: { readonly entry: TimelineEntry; readonly locale: Locale }) {
  const t = translator(locale, 'Bill');
  const reasons = translator(locale, 'AttemptReason');
  switch (entry.kind) {
    case 'created':
      return <Line title={t('eventCreated')}>{entry.by && <CreatedBy by={entry.by} locale={locale} />}</Line>;
    case 'prompt': {
      const { prompt, reason } = entry;
      return (
        <Line
          title={t('promptTitle', { amount: formatMoney(prompt.amount), mobile: prompt.mobile })}
          badge={<AttemptBadge state={prompt.state} locale={locale} />}
        >
          {reason && <p>{reasons(reason)}</p>}
          <p className="text-sm">{t(prompt.source === 'api' ? 'fromApi' : 'fromWeb')}</p>
          <p className="text-sm text-muted">
            {t('network')}: {WALLETS[isNetwork(prompt.network) ? prompt.network : 'other']} · {t('ourReference')}: {prompt.ourReference}
          </p>
        </Line>
      );
    }
    case 'moved':
      return (
        <Line title={t(`moved_${entry.state}`)}>
          {entry.reason && <p>{reasons(entry.reason)}</p>}
          {entry.via && <p className="text-sm">{t(`via_${entry.via}`)}</p>}
        </Line>
      );
    case 'payment': {
      const { amount, kind, transactionId, mobile, late, amountDiffers, allocatedBy } = entry.payment;
      return (
        <Line title={t(kind, { amount: formatMoney(kind === 'reversal' ? -amount : amount) })}>
          <p>
            {t('receipt')}: <strong>{transactionId}</strong>
          </p>
          {mobile && (
            <p className="text-sm">
              {t(kind === 'reversal' ? 'backTo' : 'payer')} {mobile}
            </p>
          )}
          {late && <p className="text-sm">{t('late')}</p>}
          {amountDiffers && <p className="text-sm">{t('amountDiffers')}</p>}
          {allocatedBy !== 'gateway' && <p className="text-sm">{t('allocatedBy', { name: allocatedBy.replace(/^\w+:/, '') })}</p>}
        </Line>
      );
    }
    case 'released':
      return (
        <Line title={t('released', { mobile: entry.mobile ?? '' })}>
          <p>{t('releasedText')}</p>
          <p className="text-sm">{t('why', { name: entry.by.replace(/^\w+:/, ''), text: entry.why })}</p>
        </Line>
      );
    case 'reversalAsked':
      return (
        <Line title={t('reversalAsked', { amount: formatMoney(entry.amount) })}>
          <p>
            {t('receipt')}: <strong>{entry.transactionId}</strong>
          </p>
          <p className="text-sm">{entry.why}</p>
        </Line>
      );
    case 'reversalFailed':
      return (
        <Line title={t('reversalFailed', { amount: formatMoney(entry.amount) })}>
          <p>
            {t('receipt')}: <strong>{entry.transactionId}</strong>
          </p>
          {entry.reason && <p>{reasons(entry.reason)}</p>}
        </Line>
      );
    case 'unmatched':
    case 'conflict':
      return (
        <Line title={t(entry.kind, { amount: formatMoney(entry.amount) })}>
          <p>
            {t('receipt')}: <strong>{entry.transactionId}</strong>
          </p>
          <p>{t(`${entry.kind}Text`)}</p>
        </Line>
      );
    case 'status':
      return <Line title={t('statusNow', { status: translator(locale, 'Status')(entry.status) })} />;
    case 'webhook':
      return (
        <Line
          title={t('webhook', { status: translator(locale, 'Status')(entry.delivery.billStatus) })}
          badge={<DeliveryBadge delivery={entry.delivery} locale={locale} />}
        >
          <div className="my-2">
            <Tries delivery={entry.delivery} locale={locale} />
          </div>
        </Line>
      );
    case 'other':
      return <Line title={t('other', { type: entry.type })} />;
  }
}

function Line({ title, badge, children }: { readonly title: string; readonly badge?: ReactNode; readonly children?: ReactNode }) {
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <strong>{title}</strong>
        {badge}
      </p>
      {children}
    </>
  );
}

function CreatedBy({ by, locale }: { readonly by: string; readonly locale: Locale }) {
  const t = translator(locale, 'Bill');
  const [kind = '', name = ''] = by.split(/:(.*)/s);
  return <p className="text-sm">{kind === 'key' ? t('byKey', { key: name }) : t('byOther', { name: name || kind })}</p>;
}
