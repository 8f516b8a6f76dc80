import { encodeQR } from 'qr';

/** The width of the white border of a QR code, in modules (ISO/IEC 18004, 9.1). A module is one square of the code. */
const QUIET_ZONE = 4;

interface QrCodeProps {
  readonly text: string;
  /** A description for screen readers. */
  readonly label: string;
  readonly large?: boolean;
}

/** A QR code with error correction level M, drawn as one path. It is always black on white, because scanners need the contrast. */
export function QrCode({ text, label, large = false }: QrCodeProps) {
  const { path, modules } = qrPath(text);
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
    </svg>
  );
}

/** Returns the dark modules of a QR code as one path of lines that are one unit wide, and the width of the code in units. */
export function qrPath(text: string): { readonly path: string; readonly modules: number } {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET_ZONE });
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
