import { Notice } from '@/components/ui/notice';
import { Told } from '../told';

/** The answer to what somebody just did, if `said` or `takenBack` in the address says one. On pages that refresh themselves it stays. */
export function Said({ text, good }: { readonly text: string | null; readonly good: boolean }) {
  return (
    <Told params={['said', 'takenBack']} label={text}>
      {text !== null && (
        <Notice tone={good ? 'good' : 'bad'}>
          <p>{text}</p>
        </Notice>
      )}
    </Told>
  );
}
