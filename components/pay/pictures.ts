import { ICON_PATHS } from '@/components/pay/icon';
import type { PictureKind } from '@/components/pay/link-preview';
import { qrPath } from '@/components/pay/qr-code';
import { remainingAmount } from '@/lib/gateway/bills/rules';
import type { Pictured } from '@/lib/gateway/receipts/show-receipt';
import { paletteOf, shopMark } from '@/lib/identity/merchants/brand-rules';
import { formatColour, parseColour } from '@/lib/platform/core/colour';
import { formatMoney } from '@/lib/platform/i18n/format';
import type { Locale } from '@/lib/platform/i18n/locale';
import { translator } from '@/lib/platform/i18n/translator';
import { cleanText, escapeXml, textWidth, wrapText } from '@/lib/platform/pictures/text';
import { type ReceiptView, STAMPS, type StampKind, stampOf, stampText, viewReceipt } from './receipt-view';

const INK = '#14231c';
const QUIET = '#46584e';
const LINE = '#b9c4bc';

interface TextLook {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly bold?: boolean;
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly fill?: string;
}

/** Arabic letters with the spaces and digits between them. */
const ARABIC =
  /[\u0600-\u06ff\u0750-\u077f\ufb50-\ufdff\ufe70-\ufefc]+(?:[\s\d]+[\u0600-\u06ff\u0750-\u077f\ufb50-\ufdff\ufe70-\ufefc]+)*/gu;

/** Sets the font of the Arabic parts of a text. The renderer joins Arabic letters only if one element sets the font for all of them. */
function drawnText(text: string): string {
  return escapeXml(cleanText(text)).replace(ARABIC, '<tspan font-family="Noto Sans Arabic">$&</tspan>');
}

/** Draws one line of text. `y` is its base line. */
function textLine(text: string, { x, y, size, bold = false, anchor = 'start', fill = INK }: TextLook): string {
  const weight = bold ? ' font-weight="700"' : '';
  return `<text x="${x}" y="${y}" font-size="${size}" text-anchor="${anchor}" fill="${fill}"${weight}>${drawnText(text)}</text>`;
}

/** Draws a text in several lines below `y`. @returns the drawing and its height. */
function textBlock(
  text: string,
  { width, most, ...look }: TextLook & { readonly width: number; readonly most: number },
): { readonly svg: string; readonly height: number } {
  const { size, y } = look;
  const lines = wrapText(text, { size, width, most });
  const step = size * 1.3;
  return { svg: lines.map((line, index) => textLine(line, { ...look, y: y + size + step * index })).join(''), height: step * lines.length };
}

/** Draws an icon in a square. The pages for customers use the same icons. */
function drawIcon(path: string, { x, y, side, colour }: { x: number; y: number; side: number; colour: string }): string {
  return `<g transform="translate(${x} ${y}) scale(${side / 24})" fill="none" stroke="${colour}" stroke-width="2.25" stroke-linecap="round" stroke-linejoin="round"><path d="${path}"/></g>`;
}

/** Draws a stamp around a point, slightly rotated like a stamp on paper. */
function drawStamp(kind: StampKind, text: string, { x, y, size }: { x: number; y: number; size: number }): string {
  const { icon, colour } = STAMPS[kind];
  const side = size * 1.1;
  const inside = side + size * 0.4 + textWidth(text, size) * 1.06;
  const [width, height] = [inside + size * 1.6, size * 2];
  const left = x - inside / 2;
  const frame = (by: number, stroke: number) =>
    `<rect x="${x - width / 2 + by}" y="${y - height / 2 + by}" width="${width - 2 * by}" height="${height - 2 * by}" rx="${size * 0.3}" fill="none" stroke="${colour}" stroke-width="${stroke}"/>`;
  return `<g transform="rotate(-4 ${x} ${y})">${frame(0, size * 0.09)}${frame(size * 0.18, size * 0.04)}${drawIcon(ICON_PATHS[icon], { x: left, y: y - side / 2, side, colour })}<text x="${left + side + size * 0.4}" y="${y + size * 0.36}" font-size="${size}" font-weight="700" letter-spacing="${size * 0.04}" fill="${colour}">${escapeXml(text)}</text></g>`;
}

function drawQr(text: string, { x, y, side }: { x: number; y: number; side: number }): string {
  const { path, modules } = qrPath(text);
  return `<g transform="translate(${x} ${y}) scale(${side / modules})" shape-rendering="crispEdges"><path stroke="#000" d="${path}"/></g>`;
}

/** A merchant's logo, to draw into a picture. */
type PictureLogo = NonNullable<Pictured['logo']>;

/** Draws a logo at the left of a box, in the middle of its height. `x`, `y`: the left top corner. @returns the drawing and its width. */
function drawLogo(logo: PictureLogo, { x, y, width, height }: { x: number; y: number; width: number; height: number }) {
  const scale = Math.min(width / logo.width, height / logo.height);
  const [wide, high] = [logo.width * scale, logo.height * scale];
  const data = `data:${logo.type};base64,${Buffer.from(logo.bytes).toString('base64')}`;
  return { svg: `<image x="${x}" y="${y + (height - high) / 2}" width="${wide}" height="${high}" href="${data}"/>`, width: wide };
}

/** Draws the initial of a shop in a circle. `x`, `y`: the left top corner. */
function drawMark(
  initial: string,
  { x, y, side, fill, onFill }: { x: number; y: number; side: number; fill: string; onFill: string },
): string {
  const half = side / 2;
  const letter = textLine(initial, { x: x + half, y: y + side * 0.7, size: side * 0.55, bold: true, anchor: 'middle', fill: onFill });
  return `<circle cx="${x + half}" cy="${y + half}" r="${half}" fill="${fill}"/>${letter}`;
}

/** Wraps a drawing into an SVG document. */
function svgDocument(width: number, height: number, drawing: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="Noto Sans">${drawing}</svg>`;
}

/** The width and height in pixels. Chats and social networks show a picture of this size as a large preview. */
const BILL_WIDTH = 1200;
const BILL_HEIGHT = 630;
const BILL_LEFT = 80;
const BAND = 150;
const BRAND = '#0b5d3b';

/** Draws the preview of a bill's link: who asks for how much, or that it is paid. */
function billPicture(bill: Pictured['bill'], logo: PictureLogo | undefined, locale: Locale): string {
  const { merchant, brandColour, amount, reference, caption, stamp, test } = describeBill(bill, locale);
  const chosen = brandColour === null ? null : parseColour(brandColour);
  const palette = chosen && paletteOf(chosen);
  const [fill, onFill] = palette ? [formatColour(palette.fill), formatColour(palette.onFill)] : [BRAND, '#fff'];
  const drawing = [`<path fill="#fff" d="M0 0h${BILL_WIDTH}v${BILL_HEIGHT}H0z"/><path fill="${fill}" d="M0 0h${BILL_WIDTH}v${BAND}H0z"/>`];
  let x = BILL_LEFT;
  if (logo) {
    const drawn = drawLogo(logo, { x, y: 25, width: 300, height: 100 });
    // Logos are made for white paper.
    drawing.push(`<rect x="${x - 10}" y="15" width="${drawn.width + 20}" height="120" rx="16" fill="#fff"/>${drawn.svg}`);
    x += drawn.width + 34;
  } else {
    // On the band of the shop's colour, the mark has the colours in reverse.
    drawing.push(drawMark(shopMark(merchant, brandColour).initial, { x, y: 25, side: 100, fill: onFill, onFill: fill }));
    x += 130;
  }
  const name = { x, y: 0, size: 52, width: BILL_WIDTH - BILL_LEFT - x, bold: true, fill: onFill };
  const oneLine = textBlock(merchant, { ...name, y: 42, most: 2 });
  drawing.push(oneLine.height < 80 ? oneLine.svg : textBlock(merchant, { ...name, y: 18, size: 42, most: 2 }).svg);
  const size = Math.min(148, Math.floor((148 * 12) / Math.max(12, amount.length)));
  drawing.push(textLine(caption, { x: BILL_LEFT, y: 240, size: 40, fill: QUIET }));
  drawing.push(textLine(amount, { x: BILL_LEFT - 6, y: 300 + size * 0.75, size, bold: true, fill: INK }));
  drawing.push(
    textBlock(`${translator(locale, 'Pay')('reference')} ${reference}`, {
      x: BILL_LEFT,
      y: 300 + size,
      size: 36,
      width: BILL_WIDTH - 2 * BILL_LEFT,
      most: 2,
      fill: QUIET,
    }).svg,
  );
  if (stamp) drawing.push(drawStamp(stamp, stampText(stamp, locale), { x: 900, y: 222, size: 42 }));
  if (test) {
    drawing.push(`<path fill="#fff1d6" d="M0 ${BILL_HEIGHT - 70}h${BILL_WIDTH}v70H0z"/>`);
    drawing.push(textLine(test, { x: BILL_LEFT, y: BILL_HEIGHT - 24, size: 32, bold: true, fill: '#6b3d00' }));
  }
  return svgDocument(BILL_WIDTH, BILL_HEIGHT, drawing.join(''));
}

const RECEIPT_WIDTH = 1080;
/** Distances in pixels: from the edge of the picture to the paper (`MARGIN`), and to the text on it (`LEFT`). */
const MARGIN = 36;
const LEFT = MARGIN + 60;
const RIGHT = RECEIPT_WIDTH - LEFT;
const MIDDLE = RECEIPT_WIDTH / 2;
const TOOTH = 24;
/** The maximum number of payments in the picture. If there are more, it shows the last ones and the number of all payments. */
const PAYMENTS_MAX = 6;

/** Draws a receipt as a picture to send: the same facts as on the receipt's page, without its buttons. */
function receiptPicture(
  view: ReceiptView,
  { bill, logo, locale }: Pick<Pictured, 'bill'> & { readonly logo: PictureLogo | undefined; readonly locale: Locale },
): string {
  const merchant = bill.merchantName;
  const mark = shopMark(merchant, bill.brandColour);
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
  } else {
    drawing.push(drawMark(mark.initial, { ...mark, x: MIDDLE - 60, y, side: 120 }));
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
  return svgDocument(RECEIPT_WIDTH, bottom + TOOTH + MARGIN, `${paper(bottom)}${drawing.join('')}`);
}

/** Draws the paper with its torn edge. */
function paper(bottom: number): string {
  const right = RECEIPT_WIDTH - MARGIN;
  const teeth = Math.round((right - MARGIN) / (2 * TOOTH));
  const half = (right - MARGIN) / (2 * teeth);
  const edge = Array.from({ length: teeth }, () => `l${-half} ${TOOTH}l${-half} ${-TOOTH}`).join('');
  return `<path fill="#dfe6e1" d="M0 0h${RECEIPT_WIDTH}v${bottom + TOOTH + MARGIN}H0z"/><path fill="#fff" d="M${MARGIN} ${MARGIN}H${right}V${bottom}${edge}z"/>`;
}

/** Returns the SVG of one picture of a bill: its preview or its receipt. Returns undefined for the receipt if nothing is paid. */
export function drawingOf({ bill, receipt, returns, logo }: Pictured, kind: PictureKind, locale: Locale): string | undefined {
  if (kind === 'bill') return billPicture(bill, logo, locale);
  return receipt && receiptPicture(viewReceipt(bill, receipt, returns, locale), { bill, logo, locale });
}

/**
 * Returns the facts and texts in the picture that chats show as the preview of a bill's link, and nothing that the payment page does not
 * show. `caption` says what the amount is. `stamp` is null while nothing is paid, and `test` in live.
 */
function describeBill(bill: Pictured['bill'], locale: Locale) {
  const { merchantName: merchant, brandColour, reference, status, closedAt, merchantActive, environment } = bill;
  const pay = translator(locale, 'Pay');
  const payable = closedAt === null && merchantActive;
  const test = environment === 'sandbox' ? pay('sandboxNote') : null;
  const about = { merchant, brandColour, reference, test, stamp: status === 'NOT_PAID' ? null : stampOf(bill, 0n) };
  if (status === 'FULLY_PAID') return { ...about, caption: translator(locale, 'Verify')('paidNow'), amount: formatMoney(bill.paidAmount) };
  const caption = status === 'PARTIALLY_PAID' ? pay('remaining') : payable ? translator(locale, 'Share')('amountLeft') : pay('amount');
  return { ...about, caption, amount: formatMoney(remainingAmount(bill)) };
}
