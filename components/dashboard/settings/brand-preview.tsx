'use client';

import { useTranslations } from 'use-intl/react';
import { formatColour, parseColour, type Rgb, WHITE } from '@/lib/core/colour';
import { formatSupportNumber, PAGE_BACKGROUND, paletteOf, parseSupportNumber } from '@/lib/merchants/brand-rules';

export interface PreviewLogo {
  readonly url: string;
  /** Width and height in CSS pixels. They are missing for a chosen file, which the server has not scaled down yet. */
  readonly width?: number;
  readonly height?: number;
}

interface BrandPreviewProps {
  readonly merchant: string;
  readonly rgb: Rgb | null;
  readonly support: string;
  readonly logo: PreviewLogo | null;
}

/** The colour of the payment page if the merchant has chosen none. */
const OWN: Rgb = [0x0b, 0x5d, 0x3b];

/** A preview of the payment page's header with the chosen colours. It looks the same in the dark theme. */
export function BrandPreview({ merchant, rgb, support, logo }: BrandPreviewProps) {
  const t = useTranslations('Settings');
  const palette = paletteOf(rgb ?? OWN);
  const [fill, onFill, ink] = [palette.fill, palette.onFill, palette.ink].map(formatColour);
  const band = rgb ? { background: fill, color: onFill } : { color: formatColour([0x14, 0x23, 0x1c]) };
  const number = parseSupportNumber(support);
  return (
    <section aria-label={t('preview')} className="grid content-start gap-3">
      <h3 className="font-semibold">{t('preview')}</h3>
      <div
        className="overflow-hidden rounded-lg border border-line"
        style={{ background: formatColour(PAGE_BACKGROUND), colorScheme: 'light' }}
      >
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 p-4" style={band}>
          {logo && (
            // biome-ignore lint/performance/noImgElement: a logo of at most 3 kB, or a local file that was not sent yet.
            <img
              src={logo.url}
              alt={t('logoNow', { name: merchant })}
              width={logo.width}
              height={logo.height}
              className="max-h-12 max-w-36 rounded-md"
            />
          )}
          <b className="min-w-0 wrap-anywhere">{merchant}</b>
          {number && <span className="w-full text-sm">{t('previewCall', { number: formatSupportNumber(number) })}</span>}
        </div>
        <div className="grid gap-3 p-4">
          <span className="rounded-lg px-4 py-2 text-center font-semibold" style={{ background: ink, color: formatColour(WHITE) }}>
            {t('previewPay', { amount: 'TZS\u00a012,500' })}
          </span>
          <span className="text-sm underline" style={{ color: ink }}>
            {t('previewLink')}
          </span>
        </div>
      </div>
      {rgb && (
        <>
          <p className="text-sm text-muted">{t('palette')}</p>
          <ul className="flex flex-wrap gap-x-5 gap-y-2 text-sm">
            <Swatch colour={formatColour(rgb)} name={t('palette_chosen')} />
            <Swatch colour={fill} name={t('palette_fill')} />
            <Swatch colour={ink} name={t('palette_ink')} />
          </ul>
        </>
      )}
    </section>
  );
}

function Swatch({ colour = '', name }: { readonly colour: string | undefined; readonly name: string }) {
  return (
    <li className="flex items-center gap-2">
      <span aria-hidden="true" className="size-6 rounded border border-edge" style={{ background: colour }} />
      <span>
        {name} <code>{parseColour(colour) && colour}</code>
      </span>
    </li>
  );
}
