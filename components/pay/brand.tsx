import { formatColour, parseColour } from '@/lib/core/colour';
import { type Locale, translator } from '@/lib/i18n/translator';
import { type Brand, formatSupportNumber, paletteOf } from '@/lib/merchants/brand-rules';

export interface BrandedMerchant extends Brand {
  readonly merchantId: string;
  readonly merchantName: string;
}

/** The header: logo, name and language. With a support number, the number and the language are in a second row. */
const layout = ({ supportNumber }: Pick<Brand, 'supportNumber'>) => `
header{flex-wrap:wrap;column-gap:.75rem}
.who{display:flex;flex-wrap:wrap;gap:.25rem .75rem;align-items:center;flex:1 0 ${supportNumber === null ? '0' : '100%'};min-width:0;line-height:1.25}
.who img{border-radius:.375rem}
.who b{min-width:0;overflow-wrap:anywhere}`;

/**
 * Returns the style of a merchant's page, which follows the page's own style. Its colours are written from numbers, so it contains no text
 * from a person. It uses no custom properties, because Opera Mini does not support them. The coloured band is not printed: browsers omit
 * backgrounds on paper, so light text would be invisible.
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

/** The merchant's logo, name and support number. */
export function MerchantMark({ merchant, locale }: { readonly merchant: BrandedMerchant; readonly locale: Locale }) {
  const { merchantId, merchantName, supportNumber, logoHash, logoWidth, logoHeight } = merchant;
  return (
    <>
      <div className="who">
        {logoHash !== null && logoWidth !== null && logoHeight !== null && (
          // biome-ignore lint/performance/noImgElement: Next.js does not render this page, and the image is already small.
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
