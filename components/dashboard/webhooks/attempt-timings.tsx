import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import type { AttemptView } from '@/lib/webhooks/log/delivery-view';

const LOOKS = { dns: 'bg-muted', connect: 'bg-edge', tls: 'bg-amber', wait: 'bg-brand', read: 'bg-ink' } as const;

type Timed = Pick<AttemptView, 'dnsMs' | 'connectMs' | 'tlsMs' | 'firstByteMs' | 'durationMs'>;

/** The duration of each step of a call, as a bar and as a list. */
export function AttemptTimings({ attempt, locale }: { readonly attempt: Timed; readonly locale: Locale }) {
  const t = translator(locale, 'Hooks');
  const duration = (ms: number) => translator(locale, 'Webhooks')('duration', { ms: String(ms) });
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
      <dl className="mt-2 max-w-xl divide-y divide-line tabular-nums">
        {steps.map(({ step, ms }) => (
          <div key={step} className="flex justify-between gap-4 py-1">
            <dt className="flex items-center gap-2">
              <span aria-hidden="true" className={`size-3 rounded-full ${LOOKS[step]}`} />
              {t(`timing_${step}`)}
            </dt>
            <dd>{duration(ms)}</dd>
          </div>
        ))}
        <div className="flex justify-between gap-4 py-1 font-semibold">
          <dt>{t('timing_total')}</dt>
          <dd>{duration(durationMs)}</dd>
        </div>
      </dl>
    </div>
  );
}
