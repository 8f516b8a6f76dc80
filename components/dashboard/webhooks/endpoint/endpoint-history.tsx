import { formatExactInstant } from '@/lib/i18n/format';
import { type Locale, translator } from '@/lib/i18n/translator';
import type { HistoryAction, HistoryEntry } from '@/lib/webhooks/page/show-endpoint-page';

const TEXTS = {
  'webhook.set': 'h_webhook_set',
  'webhook.paused': 'h_webhook_paused',
  'webhook.resumed': 'h_webhook_resumed',
  'webhook.disabled': 'h_webhook_disabled',
  'webhook.failing': 'h_webhook_failing',
  'webhook.secret_rotated': 'h_webhook_secret_rotated',
  'webhook.secret_shown': 'h_webhook_secret_shown',
  'webhook.overlap_ended': 'h_webhook_overlap_ended',
} as const satisfies Record<HistoryAction, string>;

/** The changes of an endpoint, newest first. */
export function EndpointHistory({ history, locale }: { readonly history: readonly HistoryEntry[]; readonly locale: Locale }) {
  const t = translator(locale, 'Hooks');
  if (history.length === 0) return <p className="text-muted">{t('historyEmpty')}</p>;
  const named = (actor: string) => {
    const [kind = '', name = ''] = actor.split(/:(.*)/s);
    if (kind === 'user') return name;
    return kind === 'operator' ? t('operator') : t('system');
  };
  return (
    <ol className="grid gap-3">
      {history.map(({ id, action, actor, at, data }) => (
        <li key={id} className="border-l-2 border-line pl-3">
          <p className="font-semibold wrap-anywhere">
            {t(TEXTS[action], { after: String(data.after ?? ''), reason: String(data.reason ?? ''), hours: Number(data.hours ?? 0) })}
          </p>
          <p className="text-sm text-muted wrap-anywhere">
            {formatExactInstant(at, locale)} {t('by', { name: named(actor) })}
          </p>
        </li>
      ))}
    </ol>
  );
}
