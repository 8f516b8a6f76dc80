import type { ReactNode } from 'react';
import { Icon } from './icon';

const LOOKS = { plain: 'text-brand', danger: 'text-danger' } as const;

interface FoldProps {
  readonly title: ReactNode;
  /** Text for screen readers that completes the title. */
  readonly about?: string;
  readonly look?: keyof typeof LOOKS;
  readonly open?: boolean;
  readonly className?: string;
  readonly children: ReactNode;
}

/** Content that is hidden until somebody opens it. */
export function Fold({ title, about, look = 'plain', open = false, className, children }: FoldProps) {
  return (
    <details open={open} className={className}>
      <summary
        className={`inline-flex min-h-control cursor-pointer list-none items-center gap-1 font-semibold wrap-break-word ${LOOKS[look]}`}
      >
        {title} {about && <span className="sr-only">{about}</span>} <Icon name="down" className="size-4 [[open]>summary>&]:rotate-180" />
      </summary>
      {children}
    </details>
  );
}
