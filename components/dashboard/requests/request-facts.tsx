import { CopiedText } from '@/components/ui/copied-text';
import { Fact, Facts } from '@/components/ui/facts';
import { Card } from '@/components/ui/layout';
import { TextLink } from '@/components/ui/links';
import { actorName } from '@/lib/audit/actor-name';
import { formatExactInstant } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import { KEY_REFUSALS } from '@/lib/keys/authenticate-key';
import type { ShownRequest } from '@/lib/requests/show-request';
import { formatMs } from './request-table';
import { StatusBadge } from './status-badge';

interface RequestFactsProps {
  readonly shown: ShownRequest;
  readonly path: (page: string) => string;
  readonly locale: Locale;
}

/** Who sent a request, when, and why it was refused. */
export function RequestFacts({ shown, path, locale }: RequestFactsProps) {
  const t = translator(locale, 'Requests');
  const { keyId, keyLabel, error, code, billId, replayOf, replayedBy } = shown;
  const refusal = KEY_REFUSALS.find((one) => one === shown.refusal);
  const why = refusal ? t(`refusal_${refusal}`) : error;
  return (
    <Card id="facts" title={t('facts')} action={<StatusBadge status={shown.status} />}>
      {why !== null && <p className="mb-3 font-semibold wrap-anywhere">{why}</p>}
      {refusal && refusal !== 'address' && <p className="mb-3 max-w-prose text-sm text-muted">{t('refusedNote')}</p>}
      <Facts>
        <Fact term={t('requestId')}>
          <CopiedText label={t('requestId')} text={shown.requestId} />
        </Fact>
        {code !== null && (
          <Fact term={t('code')}>
            <a href={`/docs/${locale === 'sw' ? 'sw/' : ''}errors#${code}`} className="text-brand underline underline-offset-2">
              <code className="text-sm">{code}</code>
            </a>
          </Fact>
        )}
        <Fact term={t('when')}>{formatExactInstant(shown.at, locale)}</Fact>
        <Fact term={t('duration')}>{t('ms', { ms: formatMs(shown.durationUs) })}</Fact>
        <Fact term={t('key')}>
          <TextLink href={path(`keys/${keyId}`)}>{keyLabel ?? keyId}</TextLink>
        </Fact>
        <Fact term={t('address')}>{shown.address ?? t('unknownAddress')}</Fact>
        {billId !== null && (
          <Fact term={t('bill')}>
            <TextLink href={path(`bills/${billId}`)}>{t('showBill')}</TextLink>
          </Fact>
        )}
        {replayedBy !== null && <Fact term={t('replayedBy')}>{actorName(replayedBy, locale)}</Fact>}
        {replayOf !== null && (
          <Fact term={t('first')}>
            <TextLink href={path(`requests/${replayOf}`)}>{t('showFirst')}</TextLink>
          </Fact>
        )}
      </Facts>
    </Card>
  );
}
