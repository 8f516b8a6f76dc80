import { Focused } from '@/components/ui/focused';
import { Notice } from '@/components/ui/notice';

/** What came of what somebody just did: read out, and where they are. */
export function Answer({ text }: { readonly text: string }) {
  return (
    <Focused label={text}>
      <Notice tone="good">
        <p>{text}</p>
      </Notice>
    </Focused>
  );
}
