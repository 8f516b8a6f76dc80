import { formatColour, parseColour } from '@/lib/core/colour';
import { type Locale, translator } from '@/lib/i18n/translator';
import { type Brand, formatSupportNumber, paletteOf } from '@/lib/merchants/brand-rules';

export interface BrandedMerchant extends Brand {
  readonly merchantId: string;
  readonly merchantName: string;
}

/** Logo and name, then the language; a number to call takes a second row together with the language. */
const layout = ({ supportNumber }: Pick<Brand, 'supportNumber'>) => `
header{flex-wrap:wrap;column-gap:.75rem}
.who{display:flex;flex-wrap:wrap;gap:.25rem .75rem;align-items:center;flex:1 0 ${supportNumber === null ? '0' : '100%'};min-width:0;line-height:1.25}
.who img{border-radius:.375rem}
.who b{min-width:0;overflow-wrap:anywhere}`;

/**
 * The style of a merchant's page, after the page's own. Its colours are the palette's, written from numbers: no text that
 * anybody gave is part of it. Plain rules, because Opera Mini knows no custom properties; the band stays off paper, where grounds
 * are left out and light text would not be seen.
 */
export function brandStyle({ brandColour, supportNumber }: Pick<Brand, 'brandColour' | 'supportNumber'>): string {
  const base = layout({ supportNumber });
  const chosen = brandColour === null ? null : parseColour(brandColour);
  if (!chosen) return base;
  const { fill, onFill, ink } = paletteOf(chosen);
  const [ground, text, strong] = [fill, onFill, ink].map(formatColour);
  return `${base}
@media screen{header{max-width:none;padding:.75rem 1rem;padding:.75rem max(1rem,50% - 14rem);background:${ground};border-bottom:1px solid ${strong}}
header,header a,header b{color:${text}}
header :focus-visible{outline-color:${text}}}
a,.button{color:${strong}}
.button{border-color:${strong}}
button{background:${strong}}`;
}

/** Whose page it is, and whom to call. */
export function MerchantMark({ merchant, locale }: { readonly merchant: BrandedMerchant; readonly locale: Locale }) {
  const { merchantId, merchantName, supportNumber, logoHash, logoWidth, logoHeight } = merchant;
  return (
    <>
      <div className="who">
        {logoHash !== null && logoWidth !== null && logoHeight !== null && (
          // biome-ignore lint/performance/noImgElement: this page is not rendered by Next.js, and the picture is small already.
          <img src={`/pay/logo/${merchantId}/${logoHash}`} alt={merchantName} width={logoWidth} height={logoHeight} />
        )}
        <b>{merchantName}</b>
      </div>
      {supportNumber !== null && (
        <a href={`tel:${supportNumber}`}>{translator(locale, 'Pay')('support', { number: formatSupportNumber(supportNumber) })}</a>
      )}
    </>
  );
}
