import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { processesBelow } from '../process-tree';

/** @returns seconds of processor that a process and everything below it have used so far; null where /proc does not tell. */
export function cpuSeconds(root: number): number | null {
  try {
    const ticks = [root, ...processesBelow(root).map(({ pid }) => pid)].map(ticksOf);
    return ticks.reduce((sum, each) => sum + each, 0) / ticksPerSecond();
  } catch {
    return null;
  }
}

/** @returns seconds of processor that everything on this machine has used so far. */
export function machineSeconds(): number {
  return cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0) / 1_000;
}

/** Its own and those of its children that have ended: fields 14 to 17 of proc(5)'s stat, counted from behind the name. */
function ticksOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  } catch {
    // It ended meanwhile: its parent counts it now.
    return 0;
  }
}

let known: number | undefined;

function ticksPerSecond(): number {
  known ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  return known;
}
