import { type Brand, formatSupportNumber, inkOnDark, paletteOf, shopMark } from '@/lib/identity/merchants/brand-rules';
import { formatColour, parseColour } from '@/lib/platform/core/colour';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';

export interface BrandedMerchant extends Brand {
  readonly merchantId: string;
  readonly merchantName: string;
}

/** Names longer than this get a smaller font in the header, and two lines. */
const LONG_NAME = 18;

/** The header: the logo or the mark, the name, and the language in one row. The logo has a white plate, because logos are made for white paper. */
const LAYOUT = `
.who{display:flex;align-items:center;flex:1;min-width:0;padding:.1875rem 0;line-height:1.2}
.who svg,.who img{flex:none;margin-right:.625rem}
.who img{max-width:50%;height:auto;border-radius:.375rem;padding:.125rem;background:#fff}
.who span{min-width:0}
.who b{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;max-height:2.4em;overflow:hidden;overflow-wrap:anywhere;color:inherit;font-size:1.25rem;font-size:min(1.25rem,7vw);letter-spacing:-.01em}
.who .long{font-size:1.0625rem;font-size:min(1.0625rem,6vw)}
.who small{display:block;font-size:.8125rem;font-size:min(.8125rem,5vw);color:#46584e}
@media print{.who svg{width:28px;height:28px}.who b{font-size:1.0625rem}}`;

/** In dark mode, the mark of a shop without a colour of its own has the light green of the page. */
const OWN_DARK = `
@media screen and (prefers-color-scheme:dark){.who circle{fill:#5fcf98}.who text{fill:#0c1410}.who small{color:#a5b5ab}}`;

/**
 * Returns the CSS with a merchant's colours. The page inlines it after its own style. The colours are formatted from numbers, so the CSS
 * contains no text that somebody has entered. It uses no custom properties, because Opera Mini does not support them. The coloured header
 * is only for screens: browsers do not print backgrounds, so light text would be invisible on paper.
 */
export function brandStyle({ brandColour }: Pick<Brand, 'brandColour'>): string {
  const chosen = brandColour === null ? null : parseColour(brandColour);
  if (!chosen) return LAYOUT + OWN_DARK;
  const { fill, onFill, ink } = paletteOf(chosen);
  const [ground, text, strong] = [fill, onFill, ink].map(formatColour);
  const light = formatColour(inkOnDark(chosen));
  return `${LAYOUT}
a,.button,summary u,.do svg{color:${strong}}
.button{border-color:${strong}}
button{background:${strong}}
input,progress{accent-color:${strong}}
@media screen{header{max-width:none;padding:.375rem 1rem;padding:.375rem max(1rem,50% - 14rem);background:${ground};border-bottom:1px solid ${strong}}
header a,.who b,.who small{color:${text}}
.who circle{fill:${text}}
.who text{fill:${ground}}
header :focus-visible{outline-color:${text}}}
@media screen and (prefers-color-scheme:dark){main a,main .button,footer a,summary u,.do svg{color:${light}}
header,.button{border-color:${light}}
button{background:${light}}
input,progress{accent-color:${light}}}`;
}

/** Returns whether a shop has a logo that is much wider than high. Most of these contain the name of the shop. */
export function isWide({ logoWidth, logoHeight }: Brand): boolean {
  return logoWidth !== null && logoHeight !== null && logoWidth >= 2 * logoHeight;
}

/**
 * Who is paid: the logo, or the mark of a shop without one, and the name, unless the logo contains it. The page names the merchant again beside the amount.
 */
export function ShopHeader({ merchant, locale }: { readonly merchant: BrandedMerchant; readonly locale: Locale }) {
  const { merchantName } = merchant;
  const named = !isWide(merchant);
  return (
    <div className="who">
      <ShopPicture merchant={merchant} alt={named ? '' : merchantName} />
      <span>
        {named && (
          <b className={merchantName.length > LONG_NAME ? 'long' : undefined}>
            <bdi>{merchantName}</bdi>
          </b>
        )}
        <small>{translator(locale, 'Pay')('paidThrough')}</small>
      </span>
    </div>
  );
}

interface ShopPictureProps {
  readonly merchant: BrandedMerchant;
  /** What the logo says; empty if the name is written beside it. */
  readonly alt?: string;
}

/** The shop's logo, or its mark if it has no logo. */
export function ShopPicture({ merchant, alt = '' }: ShopPictureProps) {
  const { merchantId, merchantName, brandColour, logoHash, logoWidth, logoHeight } = merchant;
  if (logoHash !== null && logoWidth !== null && logoHeight !== null) {
    // biome-ignore lint/performance/noImgElement: Next.js does not render this page, and the image is already small.
    return <img src={logoPath({ merchantId, logoHash })} alt={alt} width={logoWidth} height={logoHeight} />;
  }
  const { initial, fill, onFill } = shopMark(merchantName, brandColour);
  return (
    <svg viewBox="0 0 40 40" width="40" height="40" aria-hidden="true">
      <g stroke="none" fontSize="22" fontWeight="700" textAnchor="middle">
        <circle cx="20" cy="20" r="20" fill={fill} />
        <text x="20" y="28" fill={onFill}>
          {initial}
        </text>
      </g>
    </svg>
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
