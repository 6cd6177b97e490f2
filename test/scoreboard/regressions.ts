import { drawSchedule } from '../simulation/draw-schedule.js';
import type { Schedule } from '../simulation/schedule.js';

/** Seeds of schedules that failed once, with what each of them found. They are played first. */
const failed: readonly number[] = [
  // A job that was first heard of between two looks 2 s apart was called untraceable.
  635,
  // Routes that came back between the question for the job and the one for another.
  788,
  // One frame within the half minute put the next look off by another one.
  1087,
  // The socket said failed, the record trailed, and nobody asked the status.
  4738,
  // A job that REST had answered for was given 2 s like an unknown one.
  13_462,
  // A refusal told one job of another one's.
  65,
];

/** The schedules of {@link failed}. */
export const regressions = (): readonly Schedule[] => failed.map((seed) => drawSchedule(seed));
