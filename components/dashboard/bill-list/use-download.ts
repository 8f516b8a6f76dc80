import { useEffect, useRef, useState } from 'react';

type Progress =
  | { readonly kind: 'idle' }
  | { readonly kind: 'broken' }
  /** `rows` is null for a workbook, whose rows cannot be counted because the file is compressed. */
  | { readonly kind: 'running' | 'done'; readonly rows: number | null; readonly bytes: number };

/** Received bytes are collected up to this size and then turned into a Blob, which the browser may store on disk. */
const PIECE_BYTES = 4_000_000;
const NEWLINE = 10;

/**
 * Downloads a file and reports the progress. The file is saved only when it is complete. Unmounting the component cancels the download.
 */
export function useDownload() {
  const [progress, setProgress] = useState<Progress>({ kind: 'idle' });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  async function start(address: string): Promise<void> {
    const stop = new AbortController();
    running.current = stop;
    setProgress({ kind: 'running', rows: null, bytes: 0 });
    try {
      const answer = await fetch(address, { signal: stop.signal });
      if (!answer.ok || answer.body === null) throw new Error(`the export answered with HTTP status ${answer.status}`);
      const type = answer.headers.get('content-type') ?? '';
      const rowsOf = (lines: number) => (type.startsWith('text/csv') ? Math.max(lines - 1, 0) : null);
      const pieces: Blob[] = [];
      let held: Uint8Array<ArrayBuffer>[] = [];
      let [bytes, lines, waiting] = [0, 0, 0];
      for await (const chunk of readChunks(answer.body)) {
        held.push(chunk);
        bytes += chunk.length;
        waiting += chunk.length;
        for (const byte of chunk) if (byte === NEWLINE) lines += 1;
        if (waiting > PIECE_BYTES) {
          pieces.push(new Blob(held));
          held = [];
          waiting = 0;
        }
        setProgress({ kind: 'running', rows: rowsOf(lines), bytes });
      }
      save(new Blob([...pieces, ...held], { type }), fileName(answer.headers));
      setProgress({ kind: 'done', rows: rowsOf(lines), bytes });
    } catch {
      setProgress({ kind: stop.signal.aborted ? 'idle' : 'broken' });
    }
  }

  return { progress, start, cancel: () => running.current?.abort() };
}

async function* readChunks(body: ReadableStream<Uint8Array<ArrayBuffer>>) {
  // Not every browser supports `for await` over the body itself.
  const reader = body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
}

function fileName(headers: Headers): string {
  return /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '')?.[1] ?? 'bills.csv';
}

function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
