import { readFile } from 'node:fs/promises';

/** Returns the resident memory of a process in bytes, or null if /proc is not available. */
export async function residentMemory(pid: number): Promise<number | null> {
  return readKilobytes(`/proc/${pid}/status`, /^VmRSS:\s+(\d+) kB/m);
}

/** Returns the memory of a process and its children in bytes. Shared pages count once. Null if /proc is not available. */
export async function sharedMemory(pid: number): Promise<number | null> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const pids = [pid, ...children.split(' ').filter(Boolean).map(Number)];
  const parts = await Promise.all(pids.map((each) => readKilobytes(`/proc/${each}/smaps_rollup`, /^Pss:\s+(\d+) kB/m)));
  const known = parts.filter((part) => part !== null);
  return known.length > 0 ? known.reduce((sum, part) => sum + part, 0) : null;
}

async function readKilobytes(path: string, pattern: RegExp): Promise<number | null> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const match = pattern.exec(text);
  return match ? Number(match[1]) * 1024 : null;
}
