import { Fragment } from 'react';

/** An e-mail address may break after its @ and before a dot. */
const BREAKS = /(?<=@)|(?<=@\S*)(?=\.\S)/;

/** A text whose e-mail addresses break where a reader expects it, and not inside a word. */
export function WholeWords({ text }: { readonly text: string }) {
  const parts: string[] = text.split(BREAKS);
  return (
    <span className="wrap-break-word">
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text have no other name and never move
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </span>
  );
}
