import { createHash } from 'node:crypto';
import { drawPicture } from './draw-picture';

/** A picture has about 40 kB, so a process stores about 4 MB at most. */
const STORED_MAX = 100;

/** Draws pictures as PNG. Stores the newest pictures, because chats and browsers load the same picture several times within seconds. */
interface PictureCache {
  /** Returns the picture of an SVG if the picture is stored or is being drawn; otherwise undefined. */
  find(svg: string): Promise<Buffer> | undefined;
  /** Draws a picture and stores it. */
  draw(svg: string): Promise<Buffer>;
}

/** Returns a hash of the SVG, as a tag of its picture. Pictures with the same tag are equal. */
export function pictureTag(svg: string): string {
  return createHash('sha256').update(svg).digest('base64url');
}

export function createPictureCache(draw: (svg: string) => Promise<Buffer> = drawPicture): PictureCache {
  const stored = new Map<string, Promise<Buffer>>();
  return {
    find: (svg) => stored.get(pictureTag(svg)),
    draw(svg) {
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
