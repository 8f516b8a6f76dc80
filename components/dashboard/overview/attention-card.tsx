import { Icon } from '@/components/ui/icon';
import { Card } from '@/components/ui/layout';
import { ButtonLink } from '@/components/ui/links';
import type { AttentionView } from './present-attention';

const TONES = {
  bad: { look: 'border-danger bg-danger-soft text-danger', icon: 'warning' },
  wait: { look: 'border-amber bg-amber-soft text-amber-ink', icon: 'clock' },
} as const;

interface AttentionCardProps extends AttentionView {
  /** When the page was updated. On a phone this time is shown only if it is too long ago, or if there are items. */
  readonly updated: string;
  readonly late: boolean;
}

/** The items that need attention with links to fix them, or a line that there are none. */
export function AttentionCard({ title: heading, calm, items, updated, late }: AttentionCardProps) {
  if (items.length === 0) {
    return (
      <section aria-label={heading} className="flex gap-2 sm:rounded-xl sm:border sm:border-line sm:bg-surface sm:px-4 sm:py-3">
        <Icon name="check" className="mt-0.5 size-5 text-good" />
        <p>
          <span className="font-semibold">{calm.title}</span> <span className="hidden text-muted sm:inline">{calm.text}</span>
        </p>
        <p className={`ml-auto self-center text-small text-muted ${late ? '' : 'hidden sm:block'}`}>{updated}</p>
      </section>
    );
  }
  return (
    <Card id="attention" title={heading} action={<span className="text-small text-muted">{updated}</span>}>
      <ul className="grid gap-4">
        {items.map(({ kind, tone, severity, title, text, links }) => (
          <li
            key={kind}
            data-kind={kind}
            className="grid gap-3 border-t border-line pt-4 first:border-0 first:pt-0 md:grid-cols-[1fr_auto]"
          >
            <div className="flex min-w-0 gap-3">
              <span className={`grid size-9 shrink-0 place-items-center rounded-full border ${TONES[tone].look}`}>
                <Icon name={TONES[tone].icon} className="size-5" />
              </span>
              <div className="min-w-0 wrap-anywhere">
                <p className="font-semibold">
                  <span className="sr-only">{severity}: </span>
                  {title}
                </p>
                <p className="max-w-prose text-muted">{text}</p>
              </div>
            </div>
            {links.length > 0 && (
              <ul className="flex flex-wrap content-start gap-2 pl-12 md:max-w-72 md:justify-end md:pl-0">
                {links.map(({ href, text: label }) => (
                  <li key={href} className="min-w-0">
                    <ButtonLink href={href} className="wrap-anywhere">
                      {label}
                    </ButtonLink>
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
