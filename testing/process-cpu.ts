import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** The length of a clock tick in /proc/<pid>/stat (see proc(5)), milliseconds. It is the same on every Linux on which Node.js runs. */
const TICK_MS = 10;
const NANOSECONDS_PER_MS = 1_000_000;

/**
 * Returns the processor time of all threads of a process, milliseconds. The resolution is nanoseconds if Linux has scheduler statistics,
 * otherwise 10 ms. Returns null if the system does not report the processor time.
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
    // Not Linux, or no scheduler statistics.
    return null;
  }
}

/** Reads fields 14 and 15, the user and system time. Splits only the text after the process name, because the name may contain spaces. */
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

/** Parses the processor time that ps prints on macOS and BSD, with hundredths of a second: `0:01.23`, `1:02:03.45`. */
function fromPs(pid: number): number | null {
  try {
    const shown = execFileSync('ps', ['-o', 'time=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    if (!/^(\d+:)+\d\d\.\d\d$/.test(shown)) return null;
    return shown.split(':').reduce((sum, part) => sum * 60 + Number(part), 0) * 1_000;
  } catch {
    return null;
  }
}
