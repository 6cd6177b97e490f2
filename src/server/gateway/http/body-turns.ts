import type { Clock } from '../../../core/platform/platform.js';
import { sliceMs } from '../../../core/platform/in-slices.js';
import { timerOn } from '../../../core/platform/timer.js';
import { lastValueFrom } from 'rxjs';

/** Shares the work on bodies of JSON among callers: reading, checking and writing them is work of the one event loop. */
export interface BodyTurns {
  /** Notes that a caller has sent a request. */
  readonly called: (name: string) => void;
  /** Resolves once the next `bytes` of the caller may be read: at once if no other caller is active. */
  readonly take: (name: string, bytes: number) => Promise<void>;
}

/** The burst of a caller: as many bytes as one body of the largest size and a dozen usual ones. */
const burstBytes = 32 * 2 ** 20;
/** The rate beyond the burst: a twentieth of the time, or a workflow with a picture of 1 MB four times a second. */
const bytesPerMs = (4 * 2 ** 20) / 1_000;
/** A slice of other work counts as the bytes on which the event loop is at work for so long. */
export const sliceBytes = 20 * bytesPerMs * sliceMs;
/** How long a caller counts as active after a request, in milliseconds. */
const thereMs = 2_000;
/** Callers that are remembered; beyond it, those who have not called lately are forgotten. */
const maxCallers = 10_000;

/**
 * Makes a {@link BodyTurns}. A caller that sends much waits only while others call, with its own bodies unread; it owes nothing for what it
 * sent while it was alone.
 */
export const bodyTurns = (clock: Pick<Clock, 'now' | 'after'>): BodyTurns => {
  const callers = new Map<string, { calledAt: number; freeAt: number }>();
  /** The latest call, and the latest one of another caller. */
  let latest: { name: string; at: number } | undefined;
  let before: { name: string; at: number } | undefined;

  const isAlone = (name: string, now: number): boolean => {
    const other = latest?.name === name ? before : latest;
    return other === undefined || now - other.at > thereMs;
  };
  return {
    called: (name) => {
      const at = clock.now();
      if (latest !== undefined && latest.name !== name) before = latest;
      latest = { name, at };
      const known = callers.get(name);
      if (known !== undefined) known.calledAt = at;
      else {
        if (callers.size >= maxCallers)
          for (const [other, { calledAt, freeAt }] of callers)
            if (at - calledAt > thereMs && freeAt <= at) callers.delete(other);
        callers.set(name, { calledAt: at, freeAt: at });
      }
    },
    take: async (name, bytes) => {
      const caller = callers.get(name);
      if (caller === undefined) return;
      const now = clock.now();
      const burstUntil = now + burstBytes / bytesPerMs;
      caller.freeAt = Math.max(now, caller.freeAt) + bytes / bytesPerMs;
      if (isAlone(name, now)) caller.freeAt = Math.min(caller.freeAt, burstUntil);
      const waitMs = caller.freeAt - burstUntil;
      if (waitMs > 0)
        await lastValueFrom(timerOn(clock, waitMs, { background: true }), { defaultValue: undefined });
    },
  };
};
