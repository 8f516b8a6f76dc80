import type { ReactNode } from 'react';
import { Focused } from '@/components/ui/focused';
import { Notice } from '@/components/ui/notice';

interface AnswerProps {
  readonly text: string;
  readonly good?: boolean;
  readonly children?: ReactNode;
}

/** What came of what somebody just did: read out, and where they are. */
export function Answer({ text, good = true, children }: AnswerProps) {
  return (
    <Focused key={text} label={text}>
      <Notice tone={good ? 'good' : 'bad'} title={text}>
        {children}
      </Notice>
    </Focused>
  );
}
