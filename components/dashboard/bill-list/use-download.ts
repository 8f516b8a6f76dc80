import { useEffect, useRef, useState } from 'react';

type Progress = { readonly kind: 'idle' | 'broken' } | { readonly kind: 'running' | 'done'; readonly rows: number; readonly bytes: number };

/** Received bytes are collected up to this size and then turned into a Blob, which the browser may store on disk. */
const PIECE_BYTES = 4_000_000;
const NEWLINE = 10;

/**
 * Downloads a CSV file and reports the progress. The file is saved only when it is complete. Unmounting the component cancels the download.
 */
export function useDownload() {
  const [progress, setProgress] = useState<Progress>({ kind: 'idle' });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  async function start(address: string): Promise<void> {
    const stop = new AbortController();
    running.current = stop;
    setProgress({ kind: 'running', rows: 0, bytes: 0 });
    try {
      const answer = await fetch(address, { signal: stop.signal });
      if (!answer.ok || answer.body === null) throw new Error(`the export answered with HTTP status ${answer.status}`);
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
        setProgress({ kind: 'running', rows: Math.max(lines - 1, 0), bytes });
      }
      save(new Blob([...pieces, ...held], { type: 'text/csv' }), fileName(answer.headers));
      setProgress({ kind: 'done', rows: lines - 1, bytes });
    } catch {
      setProgress({ kind: stop.signal.aborted ? 'idle' : 'broken' });
    }
  }

  return { progress, start, cancel: () => running.current?.abort() };
}

async function* readChunks(body: ReadableStream<Uint8Array<ArrayBuffer>>) {
  // Not every browser supports `for await` over a stream.
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
