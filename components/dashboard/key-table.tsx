import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { Cell, Row, Table } from '@/components/ui/table';
import { formatInstant } from '@/lib/i18n/format';
import { type Locale, translator } from '@/lib/i18n/translator';
import type { KeyView } from '@/lib/keys/list-keys';
import { KeyBadge } from './badges';

interface KeyTableProps {
  readonly keys: readonly KeyView[];
  readonly locale: Locale;
  /** Absent for who may only look. */
  readonly revoke?: { readonly action: (form: FormData) => Promise<void>; readonly merchant: string; readonly environment: string };
}

export function KeyTable({ keys, locale, revoke }: KeyTableProps) {
  const t = translator(locale, 'Keys');
  return (
    <Table caption={t('list')} columns={[t('keyLabel'), t('created'), t('lastUsed'), t('state'), ...(revoke ? [t('actions')] : [])]}>
      {keys.map((key) => (
        <Row key={key.id}>
          <Cell>
            <strong>{key.label}</strong>
            <code className="block text-sm text-muted">{key.id}</code>
          </Cell>
          <Cell label={t('created')} whole>
            {formatInstant(key.createdAt, locale)}
            <span className="block text-sm text-muted">{t('createdBy', { name: key.createdBy })}</span>
          </Cell>
          <Cell label={t('lastUsed')} whole>
            {key.lastUsedAt ? formatInstant(key.lastUsedAt, locale) : t('never')}
          </Cell>
          <Cell label={t('state')}>
            <KeyBadge state={key.state} locale={locale} />
          </Cell>
          {revoke && <Cell>{key.state === 'active' && <RevokeForm keyView={key} locale={locale} revoke={revoke} />}</Cell>}
        </Row>
      ))}
    </Table>
  );
}

/** Opens to a question before it does anything. */
function RevokeForm({
  keyView,
  locale,
  revoke,
}: {
  readonly keyView: KeyView;
  readonly locale: Locale;
  readonly revoke: NonNullable<KeyTableProps['revoke']>;
}) {
  const t = translator(locale, 'Keys');
  return (
    <details>
      <summary className="inline-flex min-h-9 cursor-pointer list-none items-center gap-1 font-semibold whitespace-nowrap text-danger">
        {t('revoke')} <span className="sr-only">{keyView.label}</span> <Icon name="down" />
      </summary>
      <form action={revoke.action} className="mt-2 grid max-w-xs gap-2 rounded-lg bg-danger-soft p-3">
        <input type="hidden" name="merchant" value={revoke.merchant} />
        <input type="hidden" name="environment" value={revoke.environment} />
        <input type="hidden" name="key" value={keyView.id} />
        <p className="text-sm">{t('revokeQuestion')}</p>
        <Button look="danger" className="wrap-anywhere">
          {t('revokeNow', { label: keyView.label })}
        </Button>
      </form>
    </details>
  );
}
