import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { PROJECT_ROOT } from '@/lib/platform/config/project-root';

/** A picture has about 40 kB, so a process stores about 4 MB at most. */
const STORED_MAX = 100;

/** Returns a hash of the SVG, as a tag of its picture. Pictures with the same tag are equal. */
export function pictureTag(svg: string): string {
  return createHash('sha256').update(svg).digest('base64url');
}

/** Draws pictures as PNG. Stores the newest pictures, because chats and browsers load the same picture several times within seconds. */
export function createPictureCache(draw: (svg: string) => Promise<Buffer> = drawPicture) {
  const stored = new Map<string, Promise<Buffer>>();
  return {
    /** Returns the picture of an SVG if the picture is stored or is being drawn; otherwise undefined. */
    find: (svg: string) => stored.get(pictureTag(svg)),
    draw(svg: string): Promise<Buffer> {
      const tag = pictureTag(svg);
      const known = stored.get(tag);
      if (known) return known;
      const picture = draw(svg);
      stored.set(tag, picture);
      // Removes a failed drawing, so that the next call draws again. This caller gets the error.
      picture.catch(() => stored.delete(tag));
      for (const oldest of stored.keys()) {
        if (stored.size <= STORED_MAX) break;
        stored.delete(oldest);
      }
      return picture;
    },
  };
}

/** Bili brings its own fonts, because a server may have none. For each character, the first font that contains it is used. */
const FONTS = ['noto-sans-regular.ttf', 'noto-sans-bold.ttf', 'noto-sans-arabic.ttf'].map((file) =>
  join(PROJECT_ROOT, 'lib', 'platform', 'pictures', 'fonts', file),
);

/**
 * Draws an SVG picture as PNG, outside of the main thread. The SVG must come from Bili itself, because its size is not limited. An SVG
 * cannot load other files. Pictures in `data:` URLs are allowed.
 */
async function drawPicture(svg: string): Promise<Buffer> {
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
