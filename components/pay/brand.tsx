import { formatColour, parseColour } from '@/lib/core/colour';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import { type Brand, formatSupportNumber, inkOnDark, paletteOf } from '@/lib/merchants/brand-rules';

export interface BrandedMerchant extends Brand {
  readonly merchantId: string;
  readonly merchantName: string;
}

/** The header: the logo, or else the name, and the language in one row. The logo has a white plate, because logos are made for white paper. */
const LAYOUT = `
.who{display:flex;align-items:center;flex:1;min-width:0;line-height:1.25}
.who img{flex:none;max-width:50%;height:auto;border-radius:.375rem;padding:.125rem;background:#fff}
.who b{min-width:0;overflow-wrap:anywhere}`;

/**
 * Returns the CSS with a merchant's colours. The page inlines it after its own style. The colours are formatted from numbers, so the CSS
 * contains no text that somebody has entered. It uses no custom properties, because Opera Mini does not support them. The coloured header
 * is only for screens: browsers do not print backgrounds, so light text would be invisible on paper.
 */
export function brandStyle({ brandColour }: Pick<Brand, 'brandColour'>): string {
  const chosen = brandColour === null ? null : parseColour(brandColour);
  if (!chosen) return LAYOUT;
  const { fill, onFill, ink } = paletteOf(chosen);
  const [ground, text, strong] = [fill, onFill, ink].map(formatColour);
  const light = formatColour(inkOnDark(chosen));
  return `${LAYOUT}
a,.button,summary u,.do svg{color:${strong}}
.button{border-color:${strong}}
button{background:${strong}}
input,progress{accent-color:${strong}}
@media screen{header{max-width:none;padding:.25rem 1rem;padding:.25rem max(1rem,50% - 14rem);background:${ground};border-bottom:1px solid ${strong}}
header a,header b{color:${text}}
header :focus-visible{outline-color:${text}}}
@media screen and (prefers-color-scheme:dark){main a,main .button,footer a,summary u,.do svg{color:${light}}
header,.button{border-color:${light}}
button{background:${light}}
input,progress{accent-color:${light}}}`;
}

/** The merchant's logo, or the name if there is no logo. The page names the merchant again beside the amount. */
export function MerchantMark({ merchant }: { readonly merchant: BrandedMerchant }) {
  const { merchantId, merchantName, logoHash, logoWidth, logoHeight } = merchant;
  return (
    <div className="who">
      {logoHash !== null && logoWidth !== null && logoHeight !== null ? (
        // biome-ignore lint/performance/noImgElement: Next.js does not render this page, and the image is already small.
        <img src={logoPath({ merchantId, logoHash })} alt={merchantName} width={logoWidth} height={logoHeight} />
      ) : (
        <b>{merchantName}</b>
      )}
    </div>
  );
}

/** Returns the path of a merchant's logo. */
export function logoPath({ merchantId, logoHash }: { readonly merchantId: string; readonly logoHash: string }): string {
  return `/pay/logo/${merchantId}/${logoHash}`;
}

/** The number that customers can call. */
export function SupportLink({ number, locale }: { readonly number: string; readonly locale: Locale }) {
  return <a href={`tel:${number}`}>{translator(locale, 'Pay')('support', { number: formatSupportNumber(number) })}</a>;
}
