import type { JobPlan } from './schedule.js';

/** A job of one node without anything odd about it, watched once and over at once. */
export const plainJob = (index: number): JobPlan => ({
  index,
  startsAt: 0,
  via: 'run',
  lateMs: 0,
  queueMs: 0,
  nodes: 1,
  stepMs: 0,
  end: 'completed',
  lagMs: 0,
  lagShows: 'nothing',
  cached: false,
});
