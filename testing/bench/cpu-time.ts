import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { processesBelow } from '../process-tree';

/** Returns the processor seconds that a process and its descendants have used, or null if /proc is not available. */
export function cpuSeconds(root: number): number | null {
  try {
    const ticks = [root, ...processesBelow(root).map(({ pid }) => pid)].map(ticksOf);
    return ticks.reduce((sum, each) => sum + each, 0) / ticksPerSecond();
  } catch {
    return null;
  }
}

/** Returns the processor seconds that the whole machine has used. */
export function machineSeconds(): number {
  return cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0) / 1_000;
}

/**
 * Returns the clock ticks that a process and its ended children have used: fields 14 to 17 of /proc/[pid]/stat, see proc(5). The text is
 * split after field 2, the name of the program, because the name can contain spaces.
 */
function ticksOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  } catch {
    // The process has ended. Linux now counts its ticks in the fields of its parent.
    return 0;
  }
}

let known: number | undefined;

function ticksPerSecond(): number {
  known ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  return known;
}
