import { formatColour, parseColour } from '@/lib/core/colour';
import type { Locale } from '@/lib/i18n/locale';
import { translator } from '@/lib/i18n/translator';
import { paletteOf } from '@/lib/merchants/brand-rules';
import { type StampKind, stampText } from '../receipt/stamp';
import { drawLogo, drawStamp, INK, type PictureLogo, QUIET, svgDocument, textBlock, textLine } from './parts';

/** The width and height in pixels. Chats and social networks show a picture of this size as a large preview. */
const WIDTH = 1200;
const HEIGHT = 630;
const LEFT = 80;
const BAND = 150;
const BRAND = '#0b5d3b';

/** What the preview of a bill's link shows. It contains nothing that the payment page does not show. */
interface BillPictureFacts {
  readonly merchant: string;
  readonly brandColour: string | null;
  readonly logo: PictureLogo | undefined;
  /** What is left to pay, or what is paid. */
  readonly amount: string;
  readonly reference: string;
  /** What the amount is: to pay, left to pay, or paid. */
  readonly caption: string;
  /** Null while nothing is paid. */
  readonly stamp: StampKind | null;
  /** The note that marks a test bill, at the bottom of the picture; null in live. */
  readonly test: string | null;
}

/** Draws the preview of a bill's link: who asks for how much, or that it is paid. */
export function billPicture(bill: BillPictureFacts, locale: Locale): string {
  const { merchant, brandColour, logo, amount, reference, caption, stamp, test } = bill;
  const chosen = brandColour === null ? null : parseColour(brandColour);
  const palette = chosen && paletteOf(chosen);
  const [fill, onFill] = palette ? [formatColour(palette.fill), formatColour(palette.onFill)] : [BRAND, '#fff'];
  const drawing = [`<path fill="#fff" d="M0 0h${WIDTH}v${HEIGHT}H0z"/><path fill="${fill}" d="M0 0h${WIDTH}v${BAND}H0z"/>`];
  let x = LEFT;
  if (logo) {
    const drawn = drawLogo(logo, { x, y: 25, width: 300, height: 100 });
    drawing.push(drawn.svg);
    x += drawn.width + 30;
  }
  const name = { x, y: 0, size: 52, width: WIDTH - LEFT - x, bold: true, fill: onFill };
  const oneLine = textBlock(merchant, { ...name, y: 42, most: 2 });
  drawing.push(oneLine.height < 80 ? oneLine.svg : textBlock(merchant, { ...name, y: 18, size: 42, most: 2 }).svg);
  const size = Math.min(148, Math.floor((148 * 12) / Math.max(12, amount.length)));
  drawing.push(textLine(caption, { x: LEFT, y: 240, size: 40, fill: QUIET }));
  drawing.push(textLine(amount, { x: LEFT - 6, y: 300 + size * 0.75, size, bold: true, fill: INK }));
  drawing.push(
    textBlock(`${translator(locale, 'Pay')('reference')} ${reference}`, {
      x: LEFT,
      y: 300 + size,
      size: 36,
      width: WIDTH - 2 * LEFT,
      most: 2,
      fill: QUIET,
    }).svg,
  );
  if (stamp) drawing.push(drawStamp(stamp, stampText(stamp, locale), { x: 900, y: 222, size: 42 }));
  if (test) {
    drawing.push(`<path fill="#fff1d6" d="M0 ${HEIGHT - 70}h${WIDTH}v70H0z"/>`);
    drawing.push(textLine(test, { x: LEFT, y: HEIGHT - 24, size: 32, bold: true, fill: '#6b3d00' }));
  }
  return svgDocument(WIDTH, HEIGHT, drawing.join(''));
}
