import { formatColour, parseColour } from '@/lib/core/colour';
import { type Locale, translator } from '@/lib/i18n/translator';
import { type Brand, formatSupportNumber, paletteOf } from '@/lib/merchants/brand-rules';

export interface BrandedMerchant extends Brand {
  readonly merchantId: string;
  readonly merchantName: string;
}

const LAYOUT = `
header{gap:.75rem}
header img{display:block;border-radius:.375rem}
.who{flex:1;min-width:0;line-height:1.25;overflow-wrap:anywhere}
.who a{display:inline-block;font-size:.9375rem}`.trim();

/**
 * The style of a merchant's page, after the page's own. Its colours are the palette's, written from numbers: no text that
 * anybody gave is part of it. Plain rules, because Opera Mini knows no custom properties.
 */
export function brandStyle({ brandColour }: Pick<Brand, 'brandColour'>): string {
  const chosen = brandColour === null ? null : parseColour(brandColour);
  if (!chosen) return LAYOUT;
  const { fill, onFill, ink } = paletteOf(chosen);
  const [ground, text, strong] = [fill, onFill, ink].map(formatColour);
  return `${LAYOUT}
header{max-width:none;padding:.75rem 1rem;padding:.75rem max(1rem,50% - 14rem);background:${ground};border-bottom:1px solid ${strong}}
header,header a,header b{color:${text}}
header :focus-visible{outline-color:${text}}
a,.button{color:${strong}}
.button{border-color:${strong}}
button{background:${strong}}`;
}

/** Whose page it is, and whom to call. */
export function MerchantMark({ merchant, locale }: { readonly merchant: BrandedMerchant; readonly locale: Locale }) {
  const { merchantId, merchantName, supportNumber, logoHash, logoWidth, logoHeight } = merchant;
  return (
    <>
      {logoHash !== null && logoWidth !== null && logoHeight !== null && (
        // biome-ignore lint/performance/noImgElement: this page is not rendered by Next.js, and the picture is small already.
        <img src={`/pay/logo/${merchantId}/${logoHash}`} alt={merchantName} width={logoWidth} height={logoHeight} />
      )}
      <div className="who">
        <b>{merchantName}</b>
        {supportNumber !== null && (
          <>
            <br />
            <a href={`tel:${supportNumber}`}>{translator(locale, 'Pay')('support', { number: formatSupportNumber(supportNumber) })}</a>
          </>
        )}
      </div>
    </>
  );
}
