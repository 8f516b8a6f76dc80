/** A text whose matching part is between two other parts. */
export type Marked = readonly [before: string, match: string, after: string];

export const MARK = 'rounded-xs bg-amber-soft text-inherit underline decoration-amber decoration-2 underline-offset-2';

/** A text that a search found. The matching part is underlined too, because a colour alone is not enough. */
export function MarkedText({ text: [before, match, after] }: { readonly text: Marked }) {
  return (
    <>
      {before}
      {match !== '' && <mark className={MARK}>{match}</mark>}
      {after}
    </>
  );
}
