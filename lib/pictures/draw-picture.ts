import { join } from 'node:path';
import { PROJECT_ROOT } from '@/lib/config/project-root';

/** Bili brings its own fonts, because a server may have none. For each character, the first font that contains it is used. */
const FONTS = ['noto-sans-regular.ttf', 'noto-sans-bold.ttf', 'noto-sans-arabic.ttf'].map((file) =>
  join(PROJECT_ROOT, 'lib', 'pictures', 'fonts', file),
);

/**
 * Draws an SVG picture as PNG, outside of the main thread. The SVG must come from Bili itself, because its size is not limited. An SVG
 * cannot load other files. Pictures in `data:` URLs are allowed.
 */
export async function drawPicture(svg: string): Promise<Buffer> {
  // Both libraries are native and large, so a process loads them only for its first picture.
  const [{ renderAsync }, { default: sharp }] = await Promise.all([import('@resvg/resvg-js'), import('sharp')]);
  const { pixels, width, height } = await renderAsync(svg, {
    font: { loadSystemFonts: false, fontFiles: FONTS, defaultFontFamily: 'Noto Sans' },
  });
  return sharp(pixels, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .png({ palette: true, colours: 128, effort: 3, compressionLevel: 7 })
    .toBuffer();
}
