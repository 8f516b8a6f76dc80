import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon';

const TONES = {
  good: { look: 'border-good bg-good-soft', icon: 'check' },
  busy: { look: 'border-busy bg-busy-soft', icon: 'clock' },
  wait: { look: 'border-amber bg-amber-soft', icon: 'warning' },
  bad: { look: 'border-danger bg-danger-soft', icon: 'alert' },
} as const satisfies Record<string, { look: string; icon: IconName }>;

interface NoticeProps {
  readonly tone: keyof typeof TONES;
  readonly title?: string;
  readonly text?: string;
  /** `alert` is read out at once. Use it for the result of an action. */
  readonly role?: 'alert' | 'status' | 'note';
  readonly children?: ReactNode;
}

export function Notice({ tone, title, text, role = 'note', children }: NoticeProps) {
  const { look, icon } = TONES[tone];
  return (
    <div role={role} className={`flex gap-3 rounded-lg border-l-4 px-4 py-3 ${look}`}>
      <Icon name={icon} className="mt-1 size-4" />
      <div className="min-w-0 flex-1 wrap-anywhere">
        {title && <p className="font-bold">{title}</p>}
        {text && <p>{text}</p>}
        {children}
      </div>
    </div>
  );
}
