import type { ReactNode } from 'react';
import { Notice } from '@/components/ui/notice';
import { ActionResult } from './action-result';

interface ResultNoticeProps {
  readonly text: string;
  readonly good?: boolean;
  readonly children?: ReactNode;
}

/** The result of an action. It takes the focus and is read out. */
export function ResultNotice({ text, good = true, children }: ResultNoticeProps) {
  return (
    <ActionResult key={text} label={text}>
      <Notice tone={good ? 'good' : 'bad'} title={text}>
        {children}
      </Notice>
    </ActionResult>
  );
}
