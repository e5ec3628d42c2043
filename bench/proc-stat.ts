import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** The unit of times in Linux' /proc. */
const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** The fields of /proc/PID/stat from the third on, as the second, the name, may have blanks. Null when it has ended. */
function statOf(pid: number): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}

const PARENT = 1;
/** The places of utime and stime, and of cutime and cstime. */
const OWN_TIMES = [11, 12];
const ENDED_CHILDRENS_TIMES = [13, 14];

/** Seconds of CPU that a process has used itself. */
export function cpuSeconds(pid: number): number {
  return secondsOf(statOf(pid), OWN_TIMES);
}

/** Seconds of CPU of a process and its children, also of ended ones, such as PostgreSQL's backends. */
export function cpuSecondsOfFamily(pid: number): number {
  const children = readdirSync('/proc')
    .map(Number)
    .filter((id) => id > 0)
    .map(statOf)
    .filter((stat) => stat?.[PARENT] === String(pid));
  const own = secondsOf(statOf(pid), [...OWN_TIMES, ...ENDED_CHILDRENS_TIMES]);
  return children.reduce((sum, stat) => sum + secondsOf(stat, OWN_TIMES), own);
}

function secondsOf(stat: string[] | null, fields: number[]): number {
  const ticks = fields.reduce((sum, field) => sum + Number(stat?.[field] ?? 0), 0);
  return ticks / TICKS_PER_SECOND;
}

/** Megabytes (2^20 bytes) that a process keeps in memory; 0 when it has ended. */
export function residentMegabytes(pid: number): number {
  try {
    const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(kilobytes ?? 0) / 1024;
  } catch {
    return 0;
  }
}
