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

/** Sums fields 14 to 17 of proc(5)'s stat: the process and its ended children. Fields are counted from after the name. */
function ticksOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  } catch {
    // The process has ended. Its parent's numbers include it now.
    return 0;
  }
}

let known: number | undefined;

function ticksPerSecond(): number {
  known ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  return known;
}
