import { Fragment } from 'react';

/** Matches where an e-mail address may wrap: after the @ and before a dot. */
const BREAKS = /(?<=@)|(?<=@\S*)(?=\.\S)/;

/** A text whose e-mail addresses wrap only after the @ and before dots. */
export function WrappedText({ text }: { readonly text: string }) {
  const parts: string[] = text.split(BREAKS);
  return (
    <span className="wrap-break-word">
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no id and never change their order.
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </span>
  );
}
