import {
  ambiguous,
  decideMatch,
  defaultLookRules,
  type Observation,
  settledAt,
  slowed,
} from '../../src/core/lost/decide-match.js';
import { normalise, sameWorkflow } from '../../src/core/lost/same-workflow.js';
import { describe, expect, it } from 'vitest';
import {
  carriesMarker,
  isRecent,
  markerField,
  markerOf,
  matchCandidates,
} from '../../src/core/lost/match-candidates.js';

const rules = { deadlineMs: 10, lagMs: 20, lookEveryMs: 5 };
const observation = (
  at: number,
  marked: readonly string[] = [],
  alike: readonly string[] = [],
): Observation => ({
  ...{ at, marked, alike },
});
const decide = (observations: readonly Observation[]) =>
  decideMatch({ sentAt: 100, observations, rules, now: 103 }, 'nothing');
const first = observation(105);

describe('what the observations of a service decide', () => {
  it.each([
    ['no observation', [], { _tag: 'observe', at: 103 }],
    ['one that shows the marker', [observation(103, ['a'])], { _tag: 'attach', promptId: 'a' }],
    ['one that shows it twice', [observation(103, ['a', 'b'])], { _tag: 'observe', at: 108 }],
    ['one alone, though late', [observation(200, [], ['a'])], { _tag: 'observe', at: 205 }],
    ['two, of which the last is early', [first, observation(129, [], ['a'])], { _tag: 'observe', at: 134 }],
    ['one job that is alike', [first, observation(130, [], ['a'])], { _tag: 'attach', promptId: 'a' }],
    [
      ...['two that are alike', [first, observation(130, [], ['a', 'b'])]],
      { _tag: 'unknown', reason: ambiguous, candidates: ['a', 'b'] },
    ],
    ['none', [first, observation(130)], { _tag: 'unknown', reason: 'nothing', candidates: [] }],
    [
      ...['several with the marker, whatever is alike', [first, observation(130, ['a', 'b'], ['c'])]],
      { _tag: 'unknown', reason: ambiguous, candidates: ['a', 'b'] },
    ],
  ] as [string, Observation[], object][])('by %s', (_, observations, decision) => {
    expect(decide(observations)).toEqual(decision);
  });

  it('is settled once the deadline and the lag are over', () => {
    expect(settledAt(100, rules)).toBe(130);
    expect(defaultLookRules).toEqual({ deadlineMs: 30_000, lagMs: 60_000, lookEveryMs: 15_000 });
  });

  it.each([
    [0, 10],
    [32_767, 10],
    [32_768, 1_010],
    [98_303, 2_010],
  ])('waits a second longer for each 32 KiB of the submission: %i bytes, %i ms', (bytes, deadlineMs) => {
    expect(slowed(rules, bytes)).toEqual({ ...rules, deadlineMs });
  });
});

describe('workflows that are alike', () => {
  const asset = { __type: 'core/ASSET', info: { id: 'a' } };

  it.each([
    [{ a: [1, { b: 'c' }] }, { a: [1, { b: 'c' }] }, true],
    [{ a: asset }, { a: 'file.png' }, true],
    [{ a: 'file.png' }, { a: asset }, false],
    [{ a: { ...asset, __type: 'other' } }, { a: 'file.png' }, false],
    [{ a: 1 }, { a: 2 }, false],
    [{ a: 1 }, { b: 1 }, false],
    [{ a: 1 }, { a: 1, b: 2 }, false],
    [{ a: 1, b: 2 }, { a: 1 }, false],
    [{ a: 1, b: 2 }, { a: 1, b: 3 }, false],
    [{ a: undefined }, { b: undefined }, false],
    [{ a: {} }, { a: [] }, false],
    [{ a: [] }, { a: {} }, false],
    [{ a: {} }, { a: null }, false],
    [{ a: null }, { a: null }, true],
    [{ a: null }, { a: {} }, false],
    [{ a: {} }, { a: 1 }, false],
    [undefined, undefined, true],
  ])('%j and %j: %s', (own, other, answer) => {
    expect(sameWorkflow(own, other)).toBe(answer);
  });

  it('N7 are as a service answers them, which keeps large integers or rounds them', () => {
    const withSeed = (seed: number | bigint) => ({ 1: { class_type: 'A', inputs: { seed, steps: 5n } } });
    const own = normalise(withSeed(2n ** 64n - 1n));
    expect(own).toEqual({ 1: { class_type: 'A', inputs: { seed: 2n ** 64n - 1n, steps: 5 } } });
    expect(sameWorkflow(own, normalise(withSeed(2n ** 64n - 1n)))).toBe(true);
    // As a program without such integers writes it.
    expect(sameWorkflow(own, normalise(withSeed(18_446_744_073_709_552_000n)))).toBe(true);
    expect(sameWorkflow(own, { 1: { class_type: 'A', inputs: { seed: 2 ** 64, steps: 5 } } })).toBe(true);
    expect(sameWorkflow(own, normalise(withSeed(2n ** 64n - 2n)))).toBe(false);
  });
});

describe('what some jobs show of a submission', () => {
  const workflow = { 1: { class_type: 'A', inputs: {} } };
  const of = (promptId: string, marker?: unknown, more: object = {}) => ({
    ...{ promptId, createdAt: 100_000, workflow, ...more },
    ...(marker !== undefined && { extraData: { [markerField]: marker } }),
  });
  const submission = { submissionId: 'mine', since: 100_000, workflow };

  it('is its marker, or without one its workflow; another marker is another submission', () => {
    expect(markerField).toBe('promptwire_submission');
    const jobs = [
      of('a', 'mine'),
      of('b', 'other'),
      of('c'),
      of('d', 7),
      of('e', undefined, { workflow: {} }),
    ];
    expect(matchCandidates(jobs, { ...submission, isMarked: true })).toEqual({
      marked: ['a'],
      alike: ['c', 'd'],
    });
    expect(matchCandidates(jobs, { ...submission, isMarked: false })).toEqual({
      ...{ marked: [], alike: ['a', 'b', 'c', 'd'] },
    });
    expect([markerOf(of('a', 'mine')), markerOf(of('a', 7)), markerOf(of('a'))]).toEqual([
      ...['mine', undefined, undefined],
    ]);
  });

  it('is the id of its job where the service took that of the submission', () => {
    const jobs = [of('mine', undefined, { workflow: {} }), of('other', undefined, { workflow: {} })];
    expect(matchCandidates(jobs, { ...submission, isMarked: false })).toEqual({
      marked: ['mine'],
      alike: [],
    });
    // Without an id a job can only be alike.
    const nameless = { since: submission.since, workflow, isMarked: true };
    expect(matchCandidates([of('a', 'x'), of('b')], nameless)).toEqual({
      ...{ marked: [], alike: ['b'] },
    });
    expect(['none', 'unproven', 'keys', 'jobs'].map((ids) => carriesMarker(ids as 'none'))).toEqual([
      ...[true, true, false, false],
    ]);
  });

  it('is nothing of a job of another client, where the submission names its own', () => {
    const client = (id?: string) => ({ extraData: { ...(id !== undefined && { client_id: id }) } });
    const jobs = [of('a', undefined, client('me')), of('b', undefined, client('you')), of('c')];
    const alike = (clientId?: string) =>
      matchCandidates(jobs, { ...submission, isMarked: true, clientId }).alike;
    expect([alike('me'), alike()]).toEqual([['a'], ['a', 'b', 'c']]);
  });

  it('is nothing of a job that is a minute older, by whichever clock', () => {
    const ages = [39_999, 40_000, 100_000, undefined];
    expect(ages.map((createdAt) => isRecent({ createdAt }, 100_000))).toEqual([false, true, true, true]);
    const jobs = ages.map((createdAt, nth) => of(String(nth), 'mine', { createdAt }));
    expect(matchCandidates(jobs, { ...submission, isMarked: true }).marked).toEqual(['1', '2', '3']);
  });
});
