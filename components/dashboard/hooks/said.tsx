import { Focused } from '@/components/ui/focused';
import { Notice } from '@/components/ui/notice';

/** The answer to what somebody just did. */
export function Said({ text, good }: { readonly text: string; readonly good: boolean }) {
  return (
    <Focused label={text}>
      <Notice tone={good ? 'good' : 'bad'}>
        <p>{text}</p>
      </Notice>
    </Focused>
  );
}
