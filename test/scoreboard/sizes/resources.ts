import { readFileSync, writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** What a piece of work took of its process at most. */
export interface Resources {
  /** By how much the resident memory grew, in MiB. */
  readonly peakMiB: () => number;
  /** The longest time in which the event loop did not turn, in milliseconds. */
  readonly pauseMs: () => number;
}

/** Begins to watch this process; call it once everything is loaded and was used before. */
export const watchResources = (): Resources => {
  for (let time = 0; time < 4; time += 1) globalThis.gc?.();
  const before = process.memoryUsage.rss();
  forgetPeak();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  return {
    peakMiB: () => Math.max(0, peakBytes() - before) / 1024 / 1024,
    pauseMs: () => delay.max / 1e6,
  };
};

/** The kernel's own mark sees what no timer could; where there is none, that of the whole process is an upper bound. */
const forgetPeak = (): void => {
  try {
    writeFileSync('/proc/self/clear_refs', '5');
  } catch {
    // Then the peak is that of the whole process, never a smaller one.
  }
};

const peakBytes = (): number => {
  try {
    const [, kibibytes] = /VmHWM:\s*(\d+) kB/u.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    return Number(kibibytes) * 1024;
  } catch {
    return process.resourceUsage().maxRSS * 1024;
  }
};
