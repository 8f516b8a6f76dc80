import { Badge } from '@/components/ui/badge';
import { TextLink } from '@/components/ui/links';
import { Cell, Row, Table } from '@/components/ui/table';
import { isScoped } from '@/lib/accounts/key-scopes';
import { formatInstant } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import type { KeyView } from '@/lib/keys/key-view';
import { KeyBadge } from '../badges';

interface KeyTableProps {
  readonly keys: readonly KeyView[];
  readonly caption: string;
  readonly keyPath: (id: string) => string;
  readonly locale: Locale;
}

export function KeyTable({ keys, caption, keyPath, locale }: KeyTableProps) {
  const t = translator(locale, 'KeyPage');
  const scopeName = translator(locale, 'KeyScopes');
  return (
    <Table caption={caption} columns={[t('key'), t('lastUsed'), t('ends'), t('state')]}>
      {keys.map((key) => (
        <Row key={key.id}>
          <Cell>
            <TextLink href={keyPath(key.id)}>{key.label}</TextLink>
            <code className="block text-sm text-muted">{key.id}</code>
            {isScoped(key.scopes) && (
              <span className="block text-sm text-muted">
                {scopeName('only', { scopes: key.scopes.map((scope) => scopeName(scope)).join(', ') })}
              </span>
            )}
            <span className="block text-sm text-muted">{t('by', { time: formatInstant(key.createdAt, locale), name: key.createdBy })}</span>
          </Cell>
          <Cell label={t('lastUsed')}>
            {key.lastUsedAt ? (
              <>
                <span className="whitespace-nowrap">{formatInstant(key.lastUsedAt, locale)}</span>
                <span className="block text-sm text-muted">{t('lastUsedFrom', { address: key.lastAddress ?? t('unknownAddress') })}</span>
                {key.lastRoute && <code className="block text-sm text-muted">{key.lastRoute}</code>}
              </>
            ) : (
              t('never')
            )}
          </Cell>
          <Cell label={t('ends')} whole value={key.expiresAt ? formatInstant(key.expiresAt, locale) : t('noEnd')} />
          <Cell label={t('state')}>
            <span className="inline-flex flex-wrap justify-end gap-1 md:justify-start">
              <KeyBadge state={key.state} locale={locale} />
              {key.endsSoon && <Badge tone="wait" icon="clock" text={t('endsSoon')} />}
              {key.state === 'active' && (key.networks.length > 0 || key.billMax !== null || key.dayMax !== null) && (
                <Badge tone="quiet" icon="lock" text={t('limited')} />
              )}
              {key.state === 'active' && key.replacedById !== null && <Badge tone="quiet" icon="retry" text={t('hasSuccessor')} />}
            </span>
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
