// The package has no types. Only what Bili uses is declared.
declare module 'yazl' {
  import type { EventEmitter } from 'node:events';
  import type { Readable } from 'node:stream';

  interface EntryOptions {
    readonly mtime: Date;
  }

  export class ZipFile extends EventEmitter {
    readonly outputStream: Readable;
    addBuffer(content: Buffer, path: string, options: EntryOptions): void;
    /** Reads the stream when the entries before it are written. */
    addReadStream(content: Readable, path: string, options: EntryOptions): void;
    /** Must be called after the last entry. */
    end(): void;
  }
}
