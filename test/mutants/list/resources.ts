import { replace, insertBefore, insertAfter, type Mutant } from '../mutant.js';
import { branch, call, statement, value } from '../selectors.js';

/** Group I, and what figures alone would see: timers, memory, chance. */
export const resources: readonly Mutant[] = [
  {
    id: 'I-1',
    story: 'Clients queue every preview for a reader that is slower than the service, until memory ends.',
    in: 'newest.put',
    change: replace(value('key'), 'undefined'),
    caughtBy: { test: 'test/interop/bounded-queue.test.ts', name: 'I-1' },
  },
  {
    id: 'I-4',
    story: 'Looking away from a job ends it: the last unsubscription sends a cancellation.',
    in: 'run',
    change: replace(value('onUnsubscribe'), "'cancel'"),
    caughtBy: { figure: 'event-orders', within: 15_120 },
  },
  {
    id: 'I-7',
    story: 'Each job leaves a listener on the signal that its caller shares among all of them.',
    in: 'onAbort',
    change: replace(branch('delete'), 'listening.calls.delete(entry);'),
    caughtBy: { figure: 'random-fault-schedules', within: 200 },
  },
  {
    id: 'I-8',
    story: 'Polls outlive the job that they asked about: a model of sixty lines left 47 timers behind.',
    in: 'timerOn',
    change: insertBefore(call('after'), 'void '),
    caughtBy: { figure: 'random-fault-schedules', within: 200 },
  },
  {
    id: 'I-9',
    story:
      'The watch over a socket outlives it, so each of a month’s sockets leaves a timer that holds the process.',
    in: 'startLiveness',
    change: replace(call('cancel'), 'undefined'),
    caughtBy: { figure: 'soak', within: 1 },
  },
  {
    id: 'I-10',
    story: 'What was kept for jobs that are long over grows for as long as the process lives.',
    in: 'jobTracker',
    change: insertAfter(
      statement('jobs', 'remove'),
      '((jobs as { gone?: unknown[] }).gone ??= []).push(job);',
    ),
    caughtBy: { figure: 'soak', within: 20 },
  },
  {
    id: 'L7',
    story: 'Delays that are drawn beside the seed make a failure that cannot be replayed.',
    in: 'reconnecting.nextAttempt',
    change: replace(call('random'), 'Math.random()'),
    caughtBy: { figure: 'determinism', within: 50 },
  },
];
