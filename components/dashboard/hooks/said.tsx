import { Notice } from '@/components/ui/notice';
import { Told } from '../told';

/** The answer to what somebody just did, if `said` or `takenBack` in the address says one. */
export function Said({ text, good }: { readonly text: string | null; readonly good: boolean }) {
  if (text === null) return null;
  return (
    <Told params={['said', 'takenBack']} label={text}>
      <Notice tone={good ? 'good' : 'bad'}>
        <p>{text}</p>
      </Notice>
    </Told>
  );
}
