import { encodeQR } from 'qr';
import { shopMark } from '@/lib/identity/merchants/brand-rules';
import { type BrandedMerchant, isWide, logoPath } from './brand';

/** The width of the white border of a QR code, in modules (ISO/IEC 18004, 9.1). A module is one square of the code. */
const QUIET_ZONE = 4;
/** The width of the picture in the middle, as a part of the code's width: 6 % of its area. Level Q restores 25 % (ISO/IEC 18004, 8.5). */
const MIDDLE = 0.24;

interface QrCodeProps {
  readonly text: string;
  /** A description for screen readers. */
  readonly label: string;
  readonly large?: boolean;
  /** Whose logo or mark to show in the middle. A wide logo would be too small there to recognise, so such a code has none. */
  readonly shop?: BrandedMerchant;
}

/**
 * A QR code with error correction level M, drawn as one path. It is always black on white, because scanners need the contrast. A code with a
 * picture in the middle has level Q.
 */
export function QrCode({ text, label, large = false, shop }: QrCodeProps) {
  const middle = shop && !isWide(shop) ? shop : null;
  const { path, modules } = qrPath(text, middle ? 'quartile' : 'medium');
  return (
    <svg
      className={large ? 'qr large' : 'qr'}
      role="img"
      aria-label={label}
      viewBox={`0 0 ${modules} ${modules}`}
      shapeRendering="crispEdges"
    >
      <path fill="#fff" d={`M0 0h${modules}v${modules}H0z`} />
      <path stroke="#000" d={path} />
      {middle && <Middle shop={middle} modules={modules} />}
    </svg>
  );
}

function Middle({ shop, modules }: { readonly shop: BrandedMerchant; readonly modules: number }) {
  const { merchantId, merchantName, brandColour, logoHash } = shop;
  // The edges of the white square are those of modules.
  const side = 2 * Math.floor(((modules - 2 * QUIET_ZONE) * MIDDLE) / 2) + 1;
  const at = (modules - side) / 2;
  const { initial, fill, onFill } = shopMark(merchantName, brandColour);
  return (
    <g shapeRendering="auto" fontSize={side / 2} fontWeight="700" textAnchor="middle">
      <path fill="#fff" d={`M${at} ${at}h${side}v${side}h-${side}z`} />
      {logoHash === null ? (
        <>
          <circle cx={modules / 2} cy={modules / 2} r={side / 2 - 0.5} fill={fill} />
          <text x={modules / 2} y={modules / 2 + side * 0.18} fill={onFill}>
            {initial}
          </text>
        </>
      ) : (
        <image href={logoPath({ merchantId, logoHash })} x={at + 0.5} y={at + 0.5} width={side - 1} height={side - 1} />
      )}
    </g>
  );
}

/** Returns the dark modules of a QR code as one path of lines that are one unit wide, and the width of the code in units. */
export function qrPath(text: string, ecc: 'medium' | 'quartile' = 'medium'): { readonly path: string; readonly modules: number } {
  const rows = encodeQR(text, 'raw', { ecc, border: QUIET_ZONE });
  return { path: rows.map(drawRow).join(''), modules: rows.length };
}

/** Draws a line through the middle of each run of dark modules. */
function drawRow(row: readonly boolean[], y: number): string {
  const runs =
    row
      .map((dark) => (dark ? '#' : ' '))
      .join('')
      .trimEnd()
      .match(/ +|#+/g) ?? [];
  const [first = '', ...rest] = runs;
  if (runs.length < 2) return '';
  return `M${first.length} ${y}.5${rest.map((run) => (run.startsWith('#') ? `h${run.length}` : `m${run.length} 0`)).join('')}`;
}
