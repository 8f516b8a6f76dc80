import type { ReactNode } from 'react';
import { Notice } from '@/components/ui/notice';
import { Told } from './told';

interface AnswerProps {
  readonly text: string;
  readonly good?: boolean;
  readonly children?: ReactNode;
}

/** The result of an action. It takes the focus and is read out. */
export function Answer({ text, good = true, children }: AnswerProps) {
  return (
    <Told key={text} label={text}>
      <Notice tone={good ? 'good' : 'bad'} title={text}>
        {children}
      </Notice>
    </Told>
  );
}
