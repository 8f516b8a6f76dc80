import type { ReactNode } from 'react';

interface Colours {
  readonly fill: string;
  readonly onFill: string;
}

/** How a shop looks on its payment page. */
export interface ShopLook {
  readonly merchant: string;
  /** A size is missing for a chosen file, which the server has not scaled down yet. */
  readonly logo: { readonly src: string; readonly width?: number; readonly height?: number } | null;
  /** What stands in place of a logo. */
  readonly mark: { readonly initial: string } & Colours;
  /** The colours of the header; null if the merchant has chosen none. */
  readonly header: Colours | null;
}

interface ShopPhoneProps extends ShopLook {
  /** The text below the name: through whom customers pay. */
  readonly through: string;
  readonly children: ReactNode;
}

/** A drawn phone with the header of a shop's payment page. Its colours are those of the light theme. */
export function ShopPhone({ merchant, logo, mark, header, through, children }: ShopPhoneProps) {
  return (
    <div
      className="w-full max-w-80 overflow-hidden rounded-[1.75rem] border-[6px] border-[#24322b] bg-[#f3f5f2] text-[#14231c] shadow-lg"
      data-shown="page"
    >
      <div className="flex items-center gap-2 px-4 py-3" style={header ? { background: header.fill, color: header.onFill } : {}}>
        {/* On the merchant's own colour, the mark has the two colours the other way round. */}
        <ShopMark logo={logo} {...mark} {...(header && { fill: header.onFill, onFill: header.fill })} />
        <span className="min-w-0">
          <b className="line-clamp-2 leading-tight wrap-anywhere">{merchant}</b>
          <span className="block text-xs">{through}</span>
        </span>
      </div>
      <div className="grid gap-3 p-4">{children}</div>
    </div>
  );
}

/** The logo of a shop, or its initial in a circle. */
export function ShopMark({ logo, initial, fill, onFill }: Pick<ShopLook, 'logo'> & ShopLook['mark']) {
  if (logo) {
    // biome-ignore lint/performance/noImgElement: a logo of at most 3 kB, or a local file that was not sent yet.
    return <img {...logo} alt="" className="max-h-9 w-auto max-w-24 shrink-0 rounded-md bg-[#ffffff] p-0.5" />;
  }
  return (
    <span
      aria-hidden="true"
      className="grid size-9 shrink-0 place-items-center rounded-full font-bold"
      style={{ background: fill, color: onFill }}
    >
      {initial}
    </span>
  );
}
