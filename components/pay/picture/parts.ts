import { cleanText, escapeXml, textWidth, wrapText } from '@/lib/pictures/text';
import { ICON_PATHS } from '../icon';
import { qrPath } from '../qr-code';
import { STAMPS, type StampKind } from '../receipt/stamp';

export const INK = '#14231c';
export const QUIET = '#46584e';
export const LINE = '#b9c4bc';

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
export function textLine(text: string, { x, y, size, bold = false, anchor = 'start', fill = INK }: TextLook): string {
  const weight = bold ? ' font-weight="700"' : '';
  return `<text x="${x}" y="${y}" font-size="${size}" text-anchor="${anchor}" fill="${fill}"${weight}>${drawnText(text)}</text>`;
}

/** Draws a text in several lines below `y`. @returns the drawing and its height. */
export function textBlock(
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
export function drawStamp(kind: StampKind, text: string, { x, y, size }: { x: number; y: number; size: number }): string {
  const { icon, colour } = STAMPS[kind];
  const side = size * 1.1;
  const inside = side + size * 0.4 + textWidth(text, size) * 1.06;
  const [width, height] = [inside + size * 1.6, size * 2];
  const left = x - inside / 2;
  const frame = (by: number, stroke: number) =>
    `<rect x="${x - width / 2 + by}" y="${y - height / 2 + by}" width="${width - 2 * by}" height="${height - 2 * by}" rx="${size * 0.3}" fill="none" stroke="${colour}" stroke-width="${stroke}"/>`;
  return `<g transform="rotate(-4 ${x} ${y})">${frame(0, size * 0.09)}${frame(size * 0.18, size * 0.04)}${drawIcon(ICON_PATHS[icon], { x: left, y: y - side / 2, side, colour })}<text x="${left + side + size * 0.4}" y="${y + size * 0.36}" font-size="${size}" font-weight="700" letter-spacing="${size * 0.04}" fill="${colour}">${escapeXml(text)}</text></g>`;
}

export function drawQr(text: string, { x, y, side }: { x: number; y: number; side: number }): string {
  const { path, modules } = qrPath(text);
  return `<g transform="translate(${x} ${y}) scale(${side / modules})" shape-rendering="crispEdges"><path stroke="#000" d="${path}"/></g>`;
}

/** A merchant's logo, to draw into a picture. */
export interface PictureLogo {
  readonly type: string;
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Draws a logo at the left of a box, in the middle of its height. `x`, `y`: the left top corner. @returns the drawing and its width. */
export function drawLogo(logo: PictureLogo, { x, y, width, height }: { x: number; y: number; width: number; height: number }) {
  const scale = Math.min(width / logo.width, height / logo.height);
  const [wide, high] = [logo.width * scale, logo.height * scale];
  const data = `data:${logo.type};base64,${Buffer.from(logo.bytes).toString('base64')}`;
  return { svg: `<image x="${x}" y="${y + (height - high) / 2}" width="${wide}" height="${high}" href="${data}"/>`, width: wide };
}

/** Wraps a drawing into an SVG document. */
export function svgDocument(width: number, height: number, drawing: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="Noto Sans">${drawing}</svg>`;
}
