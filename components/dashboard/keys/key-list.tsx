import { KeyBadge } from '@/components/dashboard/badges';
import { Badge } from '@/components/ui/badge';
import { Line, LineCell, LineLink, List } from '@/components/ui/list';
import { Nav } from '@/components/ui/nav';
import { isScoped } from '@/lib/identity/accounts/key-scopes';
import type { KeyView } from '@/lib/identity/keys/key-view';
import { formatDay, formatInstant, formatRecent } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';

interface KeyListProps {
  readonly keys: readonly KeyView[];
  readonly label: string;
  readonly keyPath: (id: string) => string;
  readonly now: Date;
  readonly locale: Locale;
}

const WIDTHS =
  '[--columns:minmax(0,6fr)_minmax(0,4fr)_minmax(0,4fr)_8.5rem] xl:[--columns:minmax(0,7fr)_minmax(0,4fr)_minmax(0,4fr)_7rem_8.5rem]';

export function KeyList({ keys, label, keyPath, now, locale }: KeyListProps) {
  const t = translator(locale, 'KeyPage');
  const columns = [
    { text: t('key') },
    { text: t('lastUsed') },
    { text: t('created') },
    { text: t('ends'), wide: true },
    { text: t('state'), numeric: true },
  ];
  return (
    <List label={label} columns={columns} widths={WIDTHS}>
      {keys.map((key) => (
        <KeyLine key={key.id} shown={key} href={keyPath(key.id)} now={now} locale={locale} />
      ))}
    </List>
  );
}

interface KeyLineProps {
  readonly shown: KeyView;
  readonly href: string;
  readonly now: Date;
  readonly locale: Locale;
}

function KeyLine({ shown, href, now, locale }: KeyLineProps) {
  const t = translator(locale, 'KeyPage');
  const scopeName = translator(locale, 'KeyScopes');
  const { id, label, createdAt, createdBy, expiresAt, lastUsedAt, lastAddress, lastRoute, scopes, state } = shown;
  const recent = (instant: Date) => formatRecent(instant, now, locale);
  const limited = shown.networks.length > 0 || shown.billMax !== null || shown.dayMax !== null;
  const from = lastUsedAt && t('lastUsedFrom', { address: lastAddress ?? t('unknownAddress') });
  return (
    <Line>
      <LineCell at="title">
        <LineLink href={href} text={label} />
        <code className="block truncate text-small text-muted" title={id}>
          {id}
        </code>
        {isScoped(scopes) && (
          <span className="block text-small text-muted">
            {scopeName('only', { scopes: scopes.map((scope) => scopeName(scope)).join(', ') })}
          </span>
        )}
      </LineCell>
      <LineCell
        at="below"
        className="max-md:col-end-4 max-md:text-small"
        title={lastUsedAt ? formatInstant(lastUsedAt, locale) : undefined}
      >
        {lastUsedAt ? (
          <>
            <span className="whitespace-nowrap">
              <span className="text-muted md:hidden">{t('lastUsed')}: </span>
              {recent(lastUsedAt)}
            </span>
            <span className="block truncate text-small text-muted" title={[lastRoute, from].filter(Boolean).join(' ')}>
              {lastRoute && <code className="mr-1">{lastRoute}</code>}
              {from}
            </span>
          </>
        ) : (
          <span className="text-muted">{t('never')}</span>
        )}
      </LineCell>
      <LineCell at="wide" title={t('by', { time: formatInstant(createdAt, locale), name: createdBy })}>
        <span className="whitespace-nowrap">{recent(createdAt)}</span>
        <span className="block truncate text-small text-muted">{createdBy}</span>
      </LineCell>
      <LineCell at="wide" className="whitespace-nowrap max-xl:hidden">
        {expiresAt ? formatDay(expiresAt, locale) : <span className="text-muted">{t('noEnd')}</span>}
      </LineCell>
      <LineCell at="end">
        <span className="inline-flex flex-col items-end gap-1">
          <KeyBadge state={state} locale={locale} />
          {shown.endsSoon && <Badge tone="wait" icon="clock" text={t('endsSoon')} />}
          {state === 'active' && limited && <Badge tone="quiet" icon="lock" text={t('limited')} />}
          {state === 'active' && shown.replacedById !== null && <Badge tone="quiet" icon="retry" text={t('hasSuccessor')} />}
        </span>
      </LineCell>
    </Line>
  );
}

const TABS = ['keys', 'requests'] as const;

interface KeyTabsProps {
  readonly shown: (typeof TABS)[number];
  readonly path: (page: string) => string;
  readonly locale: Locale;
}

/** Links to the keys and to the log of the requests that were sent with them. */
export function KeyTabs({ shown, path, locale }: KeyTabsProps) {
  const t = translator(locale, 'Requests');
  const items = TABS.map((tab) => ({ href: path(tab), text: t(`tab_${tab}`), current: tab === shown }));
  return <Nav look="tabs" label={t('tabs')} items={items} />;
}
