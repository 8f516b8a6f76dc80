import Link from 'next/link';
import { Icon } from '@/components/ui/icon';
import type { AlertRow, AlertTone } from './alert-row';

const TONES: Readonly<Record<AlertTone, string>> = {
  good: 'bg-good-soft text-good-ink',
  wait: 'bg-amber-soft text-amber-ink',
  bad: 'bg-danger-soft text-danger',
  quiet: 'bg-sunken text-muted',
};

/**
 * A notification in the bell's panel or on the page of notifications. The whole row is a link. An unread notification has a dot, and
 * screen readers read `newText` instead.
 */
export function AlertItem({ row, newText }: { readonly row: AlertRow; readonly newText: string }) {
  const { tone, icon, title, detail, at, href, unread } = row;
  return (
    <li>
      <Link href={href} prefetch={false} className="flex min-h-control items-start gap-3 rounded-lg px-2 py-2 hover:bg-sunken">
        <span className={`mt-0.5 grid size-7 shrink-0 place-items-center rounded-full ${TONES[tone]}`}>
          <Icon name={icon} className="size-4" />
        </span>
        <span className="min-w-0 flex-1">
          <span className={`block wrap-anywhere tabular-nums ${unread ? 'font-semibold' : ''}`}>{title}</span>
          {detail !== null && <span className="line-clamp-2 text-small text-muted wrap-anywhere">{detail}</span>}
          <span className="block text-small text-muted">{at}</span>
        </span>
        {unread && (
          <span className="mt-2 size-2.5 shrink-0 rounded-full bg-brand">
            <span className="sr-only">{newText}</span>
          </span>
        )}
      </Link>
    </li>
  );
}
