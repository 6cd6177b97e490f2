import { judge } from './invariants/index.js';
import { type MakeClient, play } from './play.js';
import type { Schedule } from './schedule.js';

/** Leaves faults, acts and jobs out of a failing schedule, one by one, for as long as it goes on failing. */
export const shrink = async (schedule: Schedule, makeClient?: MakeClient): Promise<Schedule> => {
  let smallest = schedule;
  for (let again = true; again;) {
    again = false;
    for (const smaller of smallerOnes(smallest)) {
      if (judge(await play(smaller, makeClient)).violations.length === 0) continue;
      smallest = smaller;
      again = true;
      break;
    }
  }
  return smallest;
};

function* smallerOnes(schedule: Schedule): Generator<Schedule> {
  for (const { index } of schedule.faults)
    yield { ...schedule, faults: schedule.faults.filter((fault) => fault.index !== index) };
  for (const { index } of schedule.acts ?? [])
    yield { ...schedule, acts: schedule.acts!.filter((act) => act.index !== index) };
  if (schedule.jobs.length === 1) return;
  for (const { index } of schedule.jobs)
    yield {
      ...schedule,
      jobs: schedule.jobs.filter((job) => job.index !== index),
      faults: schedule.faults.filter(({ job }) => job !== index),
    };
}
