import { type FaultKind, faultKinds, oldFaultKinds } from './faults/index.js';
import { type Random, randomOf } from './random.js';
import { type Fault, type JobPlan, moments, type Schedule } from './schedule.js';

/** How many jobs and faults a schedule may have. */
export interface DrawOptions {
  readonly maxJobs?: number;
  readonly maxFaults?: number;
  /** `old`: the first kinds of faults and the first service alone, so that old seeds mean what they meant. Default. */
  readonly kinds?: 'old' | 'all';
}

/**
 * Draws a schedule: 1 to 20 jobs and 0 to 12 faults, all from the seed.
 *
 * Jobs and faults have random numbers of their own, so that leaving one out changes no other.
 */
export const drawSchedule = (
  seed: number,
  { maxJobs = 20, maxFaults = 12, kinds = 'old' }: DrawOptions = {},
): Schedule => {
  const random = randomOf(seed, 1);
  // Small crowds are as interesting as large ones, and cheaper.
  const count = 1 + Math.floor(maxJobs * random.next() ** 2);
  const faults = random.below(maxFaults + 1);
  return {
    seed,
    platform: random.chance(0.7) ? 'node' : 'page',
    ...(kinds === 'all' && randomOf(seed, 31).chance(0.3) ? { withoutDetail: true } : {}),
    jobs: Array.from({ length: count }, (_, index) => {
      const plan = drawJob(index, randomOf(seed, 2, index));
      return kinds === 'old' ? plan : { ...plan, ...drawOddities(randomOf(seed, 30, index)) };
    }),
    faults: Array.from({ length: faults }, (_, index) =>
      drawFault(index, count, randomOf(seed, 3, index), kinds === 'old' ? oldFaultKinds : faultKinds),
    ),
  };
};

/** What jobs of real services are like besides; two of three are not. */
const drawOddities = (random: Random): Partial<JobPlan> => ({
  ...(random.chance(0.3)
    ? {
        lagMs: random.between(0, random.chance(0.5) ? 8_000 : 60_000),
        lagShows: random.pick(lagShows),
        lagsAlways: true,
      }
    : {}),
  files: random.pick(['both', 'both', 'both', 'both', 'both', 'both', 'both', 'events', 'none'] as const),
  emptyList: random.chance(0.15),
  isLong: random.chance(0.1),
  withoutMessages: random.chance(0.2),
  tellsReason: random.chance(0.3),
});

const lagShows = ['nothing', 'record without outputs', 'some outputs', 'unfinished record'] as const;

const drawJob = (index: number, random: Random): JobPlan => ({
  index,
  startsAt: index === 0 ? 600 : random.between(600, 40_000),
  via: random.pick(['run', 'run', 'submit', 'submit', 'follow']),
  lateMs: random.between(0, 60_000),
  queueMs: random.chance(0.6) ? random.between(0, 300) : random.between(0, 20_000),
  nodes: random.between(1, 4),
  stepMs: random.chance(0.6) ? random.between(0, 100) : random.between(0, 4_000),
  end: random.pick(['completed', 'completed', 'completed', 'failed', 'cancelled']),
  lagMs: random.chance(0.7) ? 0 : random.between(0, 700),
  lagShows: random.pick(['nothing', 'record without outputs']),
  cached: random.chance(0.1),
});

const drawFault = (index: number, jobs: number, random: Random, kinds: readonly FaultKind[]): Fault => ({
  index,
  kind: random.pick(kinds),
  job: random.below(jobs),
  moment: random.pick(moments),
  afterMs: random.chance(0.5) ? 0 : random.between(0, 500),
  size: random.next(),
});

/** Draws what a user does in any order: up to 60 commands, of which some begin jobs, some are faults and some are acts. */
export const drawCommands = (seed: number, { kinds = 'old' }: Pick<DrawOptions, 'kinds'> = {}): Schedule => {
  const random = randomOf(seed, 7);
  const commands = 1 + random.below(60);
  const base = drawSchedule(seed, {
    maxJobs: 1 + Math.floor(commands / 4),
    maxFaults: Math.floor(commands / 6),
    kinds,
  });
  const left = Math.max(0, commands - base.jobs.length - base.faults.length);
  const disposes = random.chance(0.3);
  return {
    ...base,
    acts: Array.from({ length: left }, (_, index) => {
      const own = randomOf(seed, 8, index);
      return {
        index,
        at: own.between(500, 90_000),
        what: index === 0 && disposes ? ('dispose' as const) : own.pick(userActs),
        job: own.below(base.jobs.length),
        size: own.next(),
      };
    }),
  };
};

const userActs = [
  'watch again',
  'watch again',
  'watch again',
  'cancel',
  'leave',
  'abort',
  'change key',
  'resume',
  'sleep',
  'step wall clock',
] as const;
