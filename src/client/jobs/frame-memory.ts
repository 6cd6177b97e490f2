import type { CancelTimer, Clock } from '../../core/platform/platform.js';
import { type KeptFrames, keptFrames } from './kept-frames.js';

/** How long the frames of a job that is over can still be had. */
const graceMs = 30_000;

/** How many bytes of frames are kept. */
export interface FrameLimits {
  /** For one job; default 8 MiB. */
  readonly jobBytes?: number | undefined;
  /** For all jobs of a client; default 32 MiB. */
  readonly clientBytes?: number | undefined;
  /**
   * For messages of the socket that come while submissions are under way, until the answers name their jobs; default 32 MiB, where each
   * counts for 1 KiB at least. What goes beyond is dropped, the oldest first, and a job that lost some has a warning.
   */
  readonly earlyBytes?: number | undefined;
  /**
   * For the pictures in `JobState.socketImages` of all jobs that have not ended; default 256 MiB. A picture that goes beyond keeps its
   * entry without `bytes`, and its job ends with `outputsComplete: false`.
   */
  readonly imageBytes?: number | undefined;
}

/** Keeps the frames of a client's jobs for those who subscribe later. */
export interface FrameMemory {
  /** Begins to keep the frames of one job. */
  readonly open: () => KeptFrames;
  /** Lets go of everything at once. */
  readonly clear: () => void;
}

/**
 * Makes the memory that all jobs of a client share.
 *
 * Beyond the bound of a job that job's frames are thinned out; beyond the bound of the client those of the jobs that hold
 * more than an equal share. Thinning goes an eighth below the bound, so that it is done once for many frames. 30 s after
 * a job's end its frames are let go.
 */
export const frameMemory = (
  clock: Clock,
  { jobBytes = 8 * mebibyte, clientBytes = 32 * mebibyte }: FrameLimits = {},
): FrameMemory => {
  const jobs = new Map<KeptFrames, CancelTimer | undefined>();
  let bytes = 0;

  const evict = (job: KeptFrames): void => {
    jobs.get(job)?.();
    jobs.delete(job);
    job.shrink(0);
  };
  const grown = (job: KeptFrames): void => {
    if (job.bytes > jobBytes) job.shrink(jobBytes * ratio);
    if (bytes <= clientBytes) return;
    const share = (clientBytes * ratio) / jobs.size;
    for (const each of jobs.keys()) each.shrink(share);
  };

  return {
    open: () => {
      const job: KeptFrames = keptFrames({
        changed: (by) => {
          bytes += by;
          if (by > 0) grown(job);
        },
        ended: () => {
          if (jobs.has(job))
            jobs.set(
              job,
              clock.after(graceMs, () => evict(job), { background: true }),
            );
        },
      });
      jobs.set(job, undefined);
      return job;
    },
    clear: () => {
      for (const job of jobs.keys()) evict(job);
    },
  };
};

const mebibyte = 1024 * 1024;
const ratio = 7 / 8;
