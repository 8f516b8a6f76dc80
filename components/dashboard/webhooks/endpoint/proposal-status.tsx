import type { Place } from '@/components/dashboard/place';
import { ActionForm, SubmitButton } from '@/components/ui/forms/action-form';
import { Notice } from '@/components/ui/notice';
import { formatExactInstant } from '@/lib/i18n/format';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import type { Proposal } from '@/lib/webhooks/page/show-endpoint';

interface ProposalStatusProps {
  readonly proposal: Proposal;
  /** The action that withdraws an open proposal. Null if the viewer has no permission. */
  readonly withdraw: ((form: FormData) => Promise<void>) | null;
  readonly place: Place;
  readonly locale: Locale;
}

/** What has become of the live address that a member proposed to the operator. */
export function ProposalStatus({ proposal, withdraw, place, locale }: ProposalStatusProps) {
  const t = translator(locale, 'Hooks');
  const { url, state, proposedAt, decidedAt, refusalReason } = proposal;
  const at = formatExactInstant(decidedAt ?? proposedAt, locale);
  if (state === 'approved') return <p className="max-w-prose text-sm text-muted">{t('proposalApproved', { at })}</p>;
  if (state === 'refused') {
    return (
      <Notice tone="bad" title={t('proposalRefused')}>
        <p>
          <code>{url}</code> ({at})
        </p>
        <p>{t('proposalReason', { reason: refusalReason ?? '' })}</p>
      </Notice>
    );
  }
  return (
    <Notice tone="busy" title={t('proposalOpen')}>
      <p>
        <code>{url}</code> ({at})
      </p>
      <p>{t('proposalOpenText')}</p>
      {withdraw && (
        <ActionForm action={withdraw} hidden={place} className="mt-3">
          <SubmitButton look="plain">{t('withdraw')}</SubmitButton>
        </ActionForm>
      )}
    </Notice>
  );
}
