import { createHash } from 'node:crypto';
import { drawPicture } from './draw-picture';

/** A drawn picture. */
interface Picture {
  readonly png: Buffer;
  /** A hash of the drawing. Equal pictures have equal tags. */
  readonly tag: string;
}

/** A picture has about 40 kB, so a process stores at most some megabytes. */
const STORED_MAX = 100;

/** Draws pictures, and stores the last ones, because chats and browsers load a picture several times within seconds. */
interface PictureCache {
  /** Returns the picture of a drawing if it is stored or is being drawn; otherwise undefined. */
  find(svg: string): Promise<Picture> | undefined;
  /** Draws a picture and stores it. */
  draw(svg: string): Promise<Picture>;
}

export function createPictureCache(draw: (svg: string) => Promise<Buffer> = drawPicture): PictureCache {
  const stored = new Map<string, Promise<Picture>>();
  const tagOf = (svg: string) => createHash('sha256').update(svg).digest('base64url');
  return {
    find: (svg) => stored.get(tagOf(svg)),
    draw(svg) {
      const tag = tagOf(svg);
      const known = stored.get(tag);
      if (known) return known;
      const picture = draw(svg).then((png) => ({ png, tag }));
      stored.set(tag, picture);
      // A failure is not stored. The caller gets it too.
      picture.catch(() => stored.delete(tag));
      for (const oldest of stored.keys()) {
        if (stored.size <= STORED_MAX) break;
        stored.delete(oldest);
      }
      return picture;
    },
  };
}
