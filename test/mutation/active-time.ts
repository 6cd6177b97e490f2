import { readFileSync } from 'node:fs';

const everyMs = 20;
const { setInterval, performance } = globalThis;

/**
 * Milliseconds during which this process could have run: a process that waits for a busy machine does not grow older.
 * A limit of a test that waits for what never happens is one of this time.
 */
export const activeMs = (): number => active;

let active = 0;
let last = performance.now();
setInterval(() => {
  const now = performance.now();
  active += Math.min(now - last, 2 * everyMs);
  last = now;
}, everyMs).unref();

/** Milliseconds for which a process had a processor: what a loop without an end uses up. Where Linux does not say: the time of day. */
export const processorMs = (pid: number): number => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /su, '')
      .split(' ');
    // User and system time, in hundredths of a second.
    return 10 * (Number(fields[11]) + Number(fields[12]));
  } catch {
    return performance.now();
  }
};
