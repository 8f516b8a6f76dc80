import { readdirSync, readFileSync } from 'node:fs';

export interface ListedProcess {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** Returns all descendants of a process (Linux: from /proc). */
export function processesBelow(root: number): ListedProcess[] {
  const all = listProcesses();
  const below = [root];
  for (const parent of below) below.push(...all.filter((one) => one.parent === parent).map(({ pid }) => pid));
  return all.filter(({ pid }) => pid !== root && below.includes(pid));
}

function listProcesses(): ListedProcess[] {
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name);
    if (!Number.isInteger(pid)) return [];
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      return [{ pid, parent, command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ') }];
    } catch {
      // The process ended between the listing and the read.
      return [];
    }
  });
}
