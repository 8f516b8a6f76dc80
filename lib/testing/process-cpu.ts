import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks in a second in proc(5)'s stat: the same on every Linux that Node.js runs on. */
const TICK_MS = 10;
const NANOSECONDS_PER_MS = 1_000_000;

/**
 * @returns the processor time that a process has used so far in all its threads, milliseconds: to the nanosecond where Linux keeps
 *   scheduler statistics, to 10 ms elsewhere; null if this system does not say.
 */
export function cpuMs(pid: number): number | null {
  return fromScheduler(pid) ?? fromStat(pid) ?? fromPs(pid);
}

function fromScheduler(pid: number): number | null {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const spent = threads.map((thread) => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]));
    return spent.reduce((sum, each) => sum + each, 0) / NANOSECONDS_PER_MS;
  } catch {
    // No Linux, or one without these statistics.
    return null;
  }
}

/** Fields 14 and 15, counted from behind the name, which may have spaces. */
function fromStat(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13);
    return (Number(user) + Number(system)) * TICK_MS;
  } catch {
    return null;
  }
}

/** macOS and BSD give hundredths of a second: `0:01.23`, `1:02:03.45`. */
function fromPs(pid: number): number | null {
  try {
    const shown = execFileSync('ps', ['-o', 'time=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    if (!/^(\d+:)+\d\d\.\d\d$/.test(shown)) return null;
    return shown.split(':').reduce((sum, part) => sum * 60 + Number(part), 0) * 1_000;
  } catch {
    return null;
  }
}
