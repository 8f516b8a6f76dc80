import { TextLink } from '@/components/ui/links';
import { Cell, Row, Table } from '@/components/ui/table';
import { formatExactInstant } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import type { RequestView } from '@/lib/requests/list-requests';
import { StatusBadge } from './status-badge';

interface RequestTableProps {
  readonly requests: readonly RequestView[];
  readonly requestPath: (id: string) => string;
  readonly locale: Locale;
}

export function RequestTable({ requests, requestPath, locale }: RequestTableProps) {
  const t = translator(locale, 'Requests');
  return (
    <Table caption={t('list')} columns={[t('call'), t('status'), { text: t('duration'), numeric: true }, t('when')]}>
      {requests.map(({ id, method, path, status, error, durationUs, at, replayOf }) => (
        <Row key={id}>
          <Cell>
            <span className="block md:min-w-64">
              <TextLink href={requestPath(id)}>
                <span className="font-mono text-small">
                  {method} {path}
                </span>
              </TextLink>
            </span>
            {replayOf && <span className="block text-sm text-muted">{t('replayed')}</span>}
          </Cell>
          <Cell label={t('status')}>
            <StatusBadge status={status} />
            {error !== null && <span className="mt-0.5 block text-sm text-muted">{error}</span>}
          </Cell>
          <Cell label={t('duration')} numeric value={t('ms', { ms: formatMs(durationUs) })} />
          <Cell label={t('when')} whole value={formatExactInstant(at, locale)} />
        </Row>
      ))}
    </Table>
  );
}

/** Formats microseconds as milliseconds: `0.4`, `12`. */
export function formatMs(durationUs: number): string {
  return (durationUs / 1_000).toFixed(durationUs < 10_000 ? 1 : 0);
}
