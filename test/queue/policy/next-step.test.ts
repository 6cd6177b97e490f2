import { describe, expect, it } from 'vitest';
import { defaultRules, type SubmissionRules } from '../../../src/server/queue/policy/rules.js';
import type { Intent } from '../../../src/server/queue/policy/intent.js';
import type { Observation } from '../../../src/core/lost/decide-match.js';
import { nextStep } from '../../../src/server/queue/policy/next-step.js';
import type { SubmissionIds } from 'promptwire';

const day = 24 * 60 * 60 * 1000;

const intentOf = (submissionIds: SubmissionIds, more: Partial<Intent> = {}): Intent => ({
  ...{ attempt: 1, worker: 'w', at: 1_000, since: 1_000, submissionIds, submissionId: 's' },
  ...more,
});
const observation = (at: number, more: Partial<Observation> = {}): Observation => ({
  at,
  marked: [],
  alike: [],
  ...more,
});
const step = (
  intent: Intent | undefined,
  observations: readonly Observation[],
  now: number,
  rules: Partial<SubmissionRules> = {},
) => nextStep({ intent }, observations, { ...defaultRules, ...rules }, now);
/** When a submission of `intentOf` has its answer, and would be listed. */
const settledAt = 1_000 + defaultRules.deadlineMs + defaultRules.lagMs;

it('keeps a key of the service for a day, less an hour for the clocks', () => {
  expect(defaultRules.keyLifeMs).toBe(day - 60 * 60 * 1000);
  expect(defaultRules.resubmit).toBe('never');
});

it('does nothing with a job that is over, attaches to a known id, and submits what never left', () => {
  const intent = intentOf('none');
  const over = nextStep({ intent, promptId: 'p', hasEnded: true }, [], defaultRules, 0);
  expect(over).toEqual({ _tag: 'finished' });
  const known = nextStep({ intent, promptId: 'p', hasEnded: false }, [], defaultRules, 0);
  expect(known).toEqual({ _tag: 'attach', promptId: 'p' });
  expect(step(undefined, [], 0)).toEqual({ _tag: 'submit', attempt: 1 });
});

describe('a submission whose id is the job’s own', () => {
  const intent = intentOf('jobs', { attempt: 3 });
  const { lookEveryMs } = defaultRules;

  it('is looked for at once, and attached to where it is seen, also late', () => {
    expect(step(intent, [], 1_500)).toEqual({ _tag: 'observe', at: 1_500 });
    const observations = [observation(1_500), observation(2_000, { marked: ['s'] })];
    expect(step(intent, observations, 2_000)).toEqual({ _tag: 'attach', promptId: 's' });
  });

  it('is looked for until one look comes after its deadline, the last wait being no longer than that', () => {
    expect(step(intent, [observation(1_500)], 1_600)).toEqual({ _tag: 'observe', at: 1_600 + lookEveryMs });
    const near = settledAt - 5;
    expect(step(intent, [observation(near)], near)).toEqual({ _tag: 'observe', at: settledAt });
  });

  it('is repeated under its id after two observations that came late enough', () => {
    const late = observation(settledAt);
    expect(step(intent, [observation(settledAt - 1), late], settledAt + 3)).toEqual({
      _tag: 'observe',
      at: settledAt + lookEveryMs,
    });
    expect(step(intent, [late, observation(settledAt + 1)], settledAt + 1)).toEqual({
      ...{ _tag: 'submit', attempt: 4, repeat: intent },
    });
  });
});

describe('a submission with a key', () => {
  it('is repeated for as long as the service keeps the key, from its first attempt on', () => {
    const { keyLifeMs } = defaultRules;
    const intent = intentOf('keys', { attempt: 5, since: 1_000, at: keyLifeMs });
    expect(step(intent, [], 1_000 + keyLifeMs - 1)).toEqual({ _tag: 'submit', attempt: 6, repeat: intent });
    expect(step(intent, [], 1_000 + keyLifeMs)).toMatchObject({ _tag: 'unknown', candidates: [] });
  });

  it('is looked for once the service has said that its key is used, and never repeated then', () => {
    const intent = intentOf('keys');
    const used = observation(0);
    expect(step(intent, [used], 5_000)).toMatchObject({ _tag: 'observe' });
    const alone = [used, observation(settledAt, { alike: ['p'] })];
    expect(step(intent, alone, settledAt)).toEqual({ _tag: 'attach', promptId: 'p' });
    const nothing = step(intent, [used, observation(settledAt)], settledAt, { resubmit: 'notFound' });
    expect(nothing).toMatchObject({ _tag: 'unknown', candidates: [] });
    expect(nothing).toHaveProperty('reason', expect.stringContaining('key'));
  });

  it('waits for the lists by the moment of its last attempt', () => {
    const intent = intentOf('keys', { since: 1_000, at: 90_000 });
    const observations = [observation(0), observation(settledAt)];
    expect(step(intent, observations, settledAt)).toMatchObject({ _tag: 'observe' });
  });
});

describe('a submission for whose id the service has no place', () => {
  const intent = intentOf('none', { attempt: 2 });
  const lost = [observation(settledAt - 1), observation(settledAt)];

  it('is submitted anew after no trace of it was seen, only where the rules say so', () => {
    expect(step(intent, lost, settledAt)).toMatchObject({ _tag: 'unknown', candidates: [] });
    const again = step(intent, lost, settledAt, { resubmit: 'notFound' });
    expect(again).toEqual({ _tag: 'submit', attempt: 3 });
    const early = step(intent, [observation(1_500)], 1_500, { resubmit: 'notFound' });
    expect(early).toMatchObject({ _tag: 'observe' });
  });

  it('is given up where several jobs may be it, whatever the rules say', () => {
    const observations = [observation(settledAt), observation(settledAt, { alike: ['p', 'q'] })];
    const given = step(intent, observations, settledAt, { resubmit: 'notFound' });
    expect(given).toMatchObject({ _tag: 'unknown', candidates: ['p', 'q'] });
  });
});
