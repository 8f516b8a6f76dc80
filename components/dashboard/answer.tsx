import { Notice } from '@/components/ui/notice';
import { Told } from './told';

interface AnswerProps {
  /** The parameter of the page's address that says it. */
  readonly param: string;
  readonly text: string;
}

/** What came of what somebody just did: read out, and where they are. */
export function Answer({ param, text }: AnswerProps) {
  return (
    <Told params={[param]} label={text}>
      <Notice tone="good">
        <p>{text}</p>
      </Notice>
    </Told>
  );
}
