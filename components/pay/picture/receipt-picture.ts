import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import type { ReceiptView } from '../receipt/receipt-view';
import { stampText } from '../receipt/stamp';
import { drawLogo, drawQr, drawStamp, LINE, type PictureLogo, QUIET, svgDocument, textBlock, textLine } from './parts';

const WIDTH = 1080;
/** Distances in pixels: from the edge of the picture to the paper (`MARGIN`), and to the text on it (`LEFT`). */
const MARGIN = 36;
const LEFT = MARGIN + 60;
const RIGHT = WIDTH - LEFT;
const MIDDLE = WIDTH / 2;
const TOOTH = 24;
/** The maximum number of payments in the picture. If there are more, it shows the last ones and the number of all payments. */
const PAYMENTS_MAX = 6;

/** Draws a receipt as a picture to send: the same facts as on the receipt's page, without its buttons. */
export function receiptPicture(
  view: ReceiptView,
  { merchant, logo, locale }: { readonly merchant: string; readonly logo: PictureLogo | undefined; readonly locale: Locale },
): string {
  const t = translator(locale, 'Receipt');
  const drawing: string[] = [];
  let y = MARGIN + 40;
  const block = (text: string, look: Omit<Parameters<typeof textBlock>[1], 'y'>, after = 0) => {
    const { svg, height } = textBlock(text, { ...look, y });
    drawing.push(svg);
    y += height + after;
  };
  const rule = () => {
    drawing.push(`<path d="M${LEFT} ${y}H${RIGHT}" stroke="${LINE}" stroke-width="3" stroke-dasharray="10 8"/>`);
    y += 24;
  };
  const row = (term: string, value: string, most: number) => {
    const left = textBlock(term, { x: LEFT, y, size: 32, width: 340, most: 2, fill: QUIET });
    const right = textBlock(value, { x: RIGHT, y, size: 32, width: 520, most, bold: true, anchor: 'end' });
    drawing.push(left.svg, right.svg);
    y += Math.max(left.height, right.height) + 10;
  };

  if (view.test) {
    drawing.push(`<rect x="${LEFT}" y="${y}" width="${RIGHT - LEFT}" height="64" rx="12" fill="#fff1d6"/>`);
    drawing.push(textLine(view.test, { x: MIDDLE, y: y + 43, size: 30, bold: true, anchor: 'middle', fill: '#6b3d00' }));
    y += 92;
  }
  if (logo) {
    const drawn = drawLogo(logo, { x: 0, y: 0, width: 480, height: 120 });
    drawing.push(`<g transform="translate(${MIDDLE - drawn.width / 2} ${y})">${drawn.svg}</g>`);
    y += 136;
  }
  block(merchant, { x: MIDDLE, size: 44, width: RIGHT - LEFT, most: 2, bold: true, anchor: 'middle' }, 8);
  block(`${t('heading')} · ${view.date}`, { x: MIDDLE, size: 32, width: RIGHT - LEFT, most: 1, anchor: 'middle', fill: QUIET }, 36);
  const size = Math.min(112, Math.floor((112 * 14) / Math.max(14, view.amount.length)));
  drawing.push(textLine(view.amount, { x: MIDDLE, y: y + size * 0.8, size, bold: true, anchor: 'middle' }));
  y += size + 76;
  drawing.push(drawStamp(view.stamp, stampText(view.stamp, locale), { x: MIDDLE, y, size: 50 }));
  y += 96;
  rule();
  for (const { term, value } of view.facts) row(term, value, 6);
  y += 14;
  rule();
  const shown = view.payments.slice(-PAYMENTS_MAX);
  const omitted = view.payments.length - shown.length;
  if (omitted > 0) block(t('earlierPayments', { count: omitted }), { x: LEFT, size: 28, width: RIGHT - LEFT, most: 1, fill: QUIET }, 8);
  for (const { number, about, amount } of shown) {
    row(number, amount, 1);
    block(about.join(' · '), { x: LEFT, size: 28, width: RIGHT - LEFT, most: 2, fill: QUIET }, 16);
  }
  if (view.check) {
    rule();
    const [top, side] = [y, 300];
    drawing.push(drawQr(view.check.url, { x: LEFT - 20, y: top - 10, side }));
    const x = LEFT + side + 10;
    y += 36;
    block(t('codeLabel'), { x, size: 30, width: RIGHT - x, most: 1, fill: QUIET }, 4);
    block(view.check.code, { x, size: 52, width: RIGHT - x, most: 1, bold: true }, 8);
    block(view.check.text, { x, size: 26, width: RIGHT - x, most: 4, fill: QUIET });
    y = Math.max(y, top + side) + 10;
  }
  for (const note of view.notes) block(note, { x: MIDDLE, size: 26, width: RIGHT - LEFT, most: 3, anchor: 'middle', fill: QUIET }, 6);
  const bottom = Math.round(y + 30);
  return svgDocument(WIDTH, bottom + TOOTH + MARGIN, `${paper(bottom)}${drawing.join('')}`);
}

/** Draws the paper with its torn edge. */
function paper(bottom: number): string {
  const right = WIDTH - MARGIN;
  const teeth = Math.round((right - MARGIN) / (2 * TOOTH));
  const half = (right - MARGIN) / (2 * teeth);
  const edge = Array.from({ length: teeth }, () => `l${-half} ${TOOTH}l${-half} ${-TOOTH}`).join('');
  return `<path fill="#dfe6e1" d="M0 0h${WIDTH}v${bottom + TOOTH + MARGIN}H0z"/><path fill="#fff" d="M${MARGIN} ${MARGIN}H${right}V${bottom}${edge}z"/>`;
}
