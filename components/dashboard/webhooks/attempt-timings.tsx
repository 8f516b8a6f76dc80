import { Cell, Row, Table } from '@/components/ui/table';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import type { AttemptView } from '@/lib/webhooks/log/delivery-view';

const LOOKS = { dns: 'bg-muted', connect: 'bg-edge', tls: 'bg-amber', wait: 'bg-brand', read: 'bg-ink' } as const;

type Timed = Pick<AttemptView, 'dnsMs' | 'connectMs' | 'tlsMs' | 'firstByteMs' | 'durationMs'>;

/** The duration of each step of a call, as a bar and as a table. */
export function AttemptTimings({ attempt, locale }: { readonly attempt: Timed; readonly locale: Locale }) {
  const t = translator(locale, 'Hooks');
  const { dnsMs, connectMs, tlsMs, firstByteMs, durationMs } = attempt;
  const before = [
    { step: 'dns', ms: dnsMs },
    { step: 'connect', ms: connectMs },
    { step: 'tls', ms: tlsMs },
    { step: 'wait', ms: firstByteMs },
  ] as const;
  const known = before.flatMap(({ step, ms }) => (ms === null ? [] : [{ step, ms }]));
  const rest = durationMs - known.reduce((sum, { ms }) => sum + ms, 0);
  const steps = firstByteMs === null ? known : [...known, { step: 'read', ms: Math.max(0, rest) } as const];
  return (
    <div>
      <h4 className="font-semibold">{t('timings')}</h4>
      <div aria-hidden="true" className="mt-2 flex h-3 w-full max-w-xl overflow-hidden rounded-full bg-sunken">
        {steps.map(({ step, ms }) => (
          <span key={step} className={LOOKS[step]} style={{ width: `${durationMs === 0 ? 0 : (ms / durationMs) * 100}%` }} />
        ))}
      </div>
      <div className="max-w-xl">
        <Table caption={t('timings')} columns={[t('step'), t('ms')]}>
          {steps.map(({ step, ms }) => (
            <Row key={step}>
              <Cell>
                <span className="inline-flex items-center gap-2">
                  <span aria-hidden="true" className={`size-3 rounded-full ${LOOKS[step]}`} />
                  {t(`t_${step}`)}
                </span>
              </Cell>
              <Cell label={t('ms')} value={ms} />
            </Row>
          ))}
          <Row>
            <Cell>
              <strong>{t('t_total')}</strong>
            </Cell>
            <Cell label={t('ms')}>
              <strong>{durationMs}</strong>
            </Cell>
          </Row>
        </Table>
      </div>
    </div>
  );
}
