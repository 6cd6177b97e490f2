import { replace, drop, type Mutant } from '../mutant.js';
import { assigned, branch, call, statement, value } from '../selectors.js';

/** Group C: what the events of a job mean, and what becomes of them. */
export const events: readonly Mutant[] = [
  {
    id: 'C1',
    story:
      'Three of three clients look for the events of a job only once they have its id, and hang without them.',
    in: 'jobTracker.track',
    change: drop(statement('claim')),
    caughtBy: { figure: 'event-orders', from: 2_941, within: 400 },
  },
  {
    id: 'C2',
    story: 'A client that missed the one message of the end waits for it for ever.',
    in: 'PollSchedule',
    change: replace(
      assigned('regularAt', 'firstPollMs'),
      'socket === false ? this.quietSince + this.jitter(firstPollMs) : Infinity',
    ),
    caughtBy: { figure: 'random-fault-schedules', within: 200 },
  },
  {
    id: 'C3',
    story: 'Two of three clients never ask what happened while they had no socket.',
    in: 'PollSchedule',
    change: [drop(statement('regularAt', 'firstPollMs')), drop(branch('mayHaveMissed'))],
    caughtBy: { figure: 'random-fault-schedules', within: 200 },
  },
  {
    id: 'C5',
    story:
      'A client ends a job with what it has heard so far, and loses the outputs that come after the end.',
    in: 'FollowedJob.take',
    change: replace(branch('!', 'isFirst'), "if (isFirst) return this.fold({ _tag: 'StatusRead', ...end });"),
    caughtBy: { figure: 'random-fault-schedules', within: 200 },
  },
  {
    id: 'C6',
    story:
      'A client takes the message that no node runs any more for success, though the job failed or goes on.',
    in: 'foldExecuting',
    change: replace(branch('isId'), "if (!isId(node)) return endJob(state, 'completed', {});"),
    caughtBy: { figure: 'random-fault-schedules', within: 200 },
  },
  {
    id: 'C7',
    story:
      'A client rejects every job that waits with the error of any job that failed, also of another machine.',
    in: 'jobListeners',
    change: replace(value('listen'), '(listener) => { jobs.add(listener); takers = [...takers, listener]; }'),
    caughtBy: { figure: 'random-fault-schedules', within: 200 },
  },
  {
    id: 'C8',
    story:
      'A client takes the success of another job, heard while its own answer is awaited, for that of its own.',
    in: 'earlyMessages.of',
    change: replace(call('get', 'promptId'), '[...frames.values()].flat()'),
    caughtBy: { figure: 'random-fault-schedules', from: 11, within: 400 },
  },
  {
    id: 'C10',
    story:
      'An integration reports runs as done that the record calls failed, because the socket spoke first.',
    in: 'authority',
    change: replace(value(), "['socket', 'record', 'detail', 'status']"),
    caughtBy: { figure: 'random-fault-schedules', from: 11, within: 400 },
  },
  {
    id: 'C13',
    story: 'Progress bars jump back, and to a share of nothing, with each number that comes.',
    in: 'withSteps',
    change: replace(value('isBehind'), 'value === node.value && max <= node.max'),
    caughtBy: { figure: 'random-fault-schedules', from: 21, within: 200 },
  },
  {
    id: 'C18',
    story: 'A caller that asks a handle for its result waits for ever, also after the end.',
    in: 'jobHandle',
    change: drop(statement('states', 'complete')),
    caughtBy: { figure: 'random-fault-schedules', within: 200 },
  },
];
