import { replace, drop, type Mutant } from '../mutant.js';
import { assigned, body, branch, call, choice, condition, statement, value } from '../selectors.js';

/** Groups E and F: what is submitted, and what is asked about it. */
export const requests: readonly Mutant[] = [
  {
    id: 'E1',
    story: 'A partner client sent a paid submission again after each lost answer: one click, four bills.',
    in: 'afterBreak',
    change: replace(value('limit'), '3'),
    caughtBy: { figure: 'no-duplicate-submissions', within: 60 },
  },
  {
    id: 'E5',
    story:
      'A gateway error after the job was accepted is reported as a failed submission, so its user submits again.',
    in: 'refusal',
    change: replace(value('delivery'), "'refused'"),
    caughtBy: { figure: 'random-fault-schedules', from: 11, within: 200 },
  },
  {
    id: 'E7',
    story: 'Retry layers take "no active plan" for "slow down" and send every job into it.',
    in: 'circuitBreaker.confirm',
    change: replace(call('open', 'billing'), 'undefined'),
    caughtBy: { figure: 'random-fault-schedules', from: 21, within: 400 },
  },
  {
    id: 'E10',
    story: 'Each of many jobs learns for itself that the key was revoked.',
    in: 'authCircuit.open',
    change: replace(body, '{}'),
    caughtBy: { figure: 'random-fault-schedules', from: 21, within: 400 },
  },
  {
    id: 'E12',
    story: 'A client follows the job "undefined" where the answer named none.',
    in: 'readSubmission',
    change: drop(branch('promptId', 'string')),
    caughtBy: { figure: 'random-fault-schedules', from: 31, within: 400 },
  },
  {
    id: 'E20',
    story: 'A workflow that its caller goes on editing is sent half changed.',
    in: 'prepareWorkflow',
    change: replace(assigned('copy', 'structuredClone'), 'workflow'),
    caughtBy: { test: 'test/jobs/accept.test.ts', name: 'E20' },
  },
  {
    id: 'F1',
    story: 'A status word that was added to the service later is taken for an end.',
    in: 'phaseOfStatus',
    change: replace(choice('executed'), "'completed'"),
    caughtBy: { test: 'test/state/phase-of-status.test.ts', name: 'F1' },
  },
  {
    id: 'F2',
    story: 'A job that the service does not list for a moment is reported as lost.',
    in: 'verdictOf',
    change: replace(condition('missingMs', 'elsewhereMs'), 'missingMs >= 0 && elsewhereMs >= 0'),
    caughtBy: { figure: 'random-fault-schedules', from: 31, within: 400 },
  },
  {
    id: 'F4',
    story: 'A job is reported as done without its outputs, because its record came half a second later.',
    in: 'confirmEnd',
    change: replace(value('isLast'), 'true'),
    caughtBy: { test: 'test/jobs/confirm-end.test.ts', name: 'F16' },
  },
  {
    id: 'F13',
    story: 'After an outage a client asks for all of its jobs at once.',
    in: 'FollowedJob',
    change: replace(call('enqueue'), 'this.granted()'),
    caughtBy: { figure: 'random-fault-schedules', from: 231, within: 1_000 },
  },
  {
    id: 'F14',
    story: 'When a route moved, a client reported every job as lost.',
    in: 'afterElsewhere',
    change: replace(statement('isRouteGone', 'true'), 'return { ...record, elsewhereMs: Infinity };'),
    caughtBy: { test: 'test/jobs/status-answers.test.ts', name: 'F14' },
  },
];
