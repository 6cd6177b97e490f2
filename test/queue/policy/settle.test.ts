import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultRules } from '../../../src/server/queue/policy/rules.js';
import type { Intent } from '../../../src/server/queue/policy/intent.js';
import { nextStep } from '../../../src/server/queue/policy/next-step.js';
import { type Mishap, play, type Plot, type Treatment } from './world.js';
import { runs } from '../../helpers/runs.js';

const mishap: fc.Arbitrary<Mishap> = fc.record({
  call: fc.integer({ min: 1, max: 8 }),
  when: fc.constantFrom('before' as const, 'after' as const),
  what: fc.oneof(
    fc.constantFrom('death' as const, 'answer lost' as const),
    fc.record({ suspendedMs: fc.constantFrom(1_000, 9_999, 12_000, 40_000, 200_000) }),
  ),
});

const plot = (about: Partial<{ [Name in keyof Plot]: fc.Arbitrary<Plot[Name]> }>): fc.Arbitrary<Plot> =>
  fc.record({
    submissionIds: fc.constantFrom('jobs' as const, 'keys' as const, 'none' as const),
    resubmit: fc.constant<Plot['resubmit']>('never'),
    returnsMarkers: fc.boolean(),
    lagMs: fc.constantFrom(0, 2_000, 30_000),
    requestMs: fc.constantFrom(1, 50, 2_000),
    treatments: fc.array(
      fc.constantFrom<Treatment>('none', 'refusal before the key', 'refusal after the key'),
      { maxLength: 4 },
    ),
    foreignAtMs: fc.option(fc.integer({ min: 0, max: 60_000 }), { nil: undefined }),
    mishaps: fc.array(mishap, { maxLength: 5 }),
    ...about,
  });

const played = { numRuns: runs(1_000) };

describe('settling a submission over workers that die, are suspended and lose answers', () => {
  it('never pays for a job twice', async () => {
    await fc.assert(
      fc.asyncProperty(plot({}), async (each) => {
        expect((await play(each)).runs.length).toBeLessThanOrEqual(1);
      }),
      played,
    );
  });

  it('finds every paid run where the service makes the id the job’s own or shows the marker', async () => {
    const exact = fc.oneof(
      plot({ submissionIds: fc.constant('jobs') }),
      plot({ returnsMarkers: fc.constant(true) }),
    );
    await fc.assert(
      fc.asyncProperty(exact, async (each) => {
        const { runs: paid, record } = await play(each);
        if (paid.length > 0) expect(record.promptId).toBe(paid[0]);
      }),
      played,
    );
  });

  it('lets no worker that has lost the job give it up, while the next one submits', async () => {
    const suspendedMs = 12_000;
    const { runs: paid, record } = await play({
      ...{ submissionIds: 'none', resubmit: 'never', returnsMarkers: true, lagMs: 0, requestMs: 1 },
      treatments: ['refusal after the key'],
      foreignAtMs: undefined,
      mishaps: [
        { call: 2, when: 'before', what: { suspendedMs } },
        { call: 6, when: 'before', what: { suspendedMs } },
        { call: 3, when: 'before', what: 'death' },
      ],
    });
    expect(paid).toEqual([record.promptId]);
  });

  it('leaves nothing unknown where the id is the job’s own, or a key whose jobs are listed', async () => {
    const decidable = fc.oneof(
      plot({ submissionIds: fc.constant('jobs') }),
      plot({ submissionIds: fc.constant('keys'), foreignAtMs: fc.constant(undefined) }),
    );
    await fc.assert(
      fc.asyncProperty(decidable, async (each) => {
        const { runs: paid, ends, record } = await play(each);
        expect(ends.map(({ _tag }) => _tag)).not.toContain('unknown');
        expect(paid).toEqual([record.promptId]);
      }),
      played,
    );
  });

  it('decides on a lost submission of a service without ids within four minutes', async () => {
    const lost = plot({
      submissionIds: fc.constant('none'),
      mishaps: fc.constant<readonly Mishap[]>([{ call: 2, when: 'before', what: 'death' }]),
      treatments: fc.constant([]),
    });
    await fc.assert(
      fc.asyncProperty(lost, async (each) => {
        const { ends, settledAtMs } = await play(each);
        expect(ends.length).toBe(1);
        expect(settledAtMs).toBeLessThan(240_000);
      }),
      { numRuns: runs(200) },
    );
  });

  it('attaches to the only job that is alike, and to none of several', async () => {
    const base: Plot = {
      submissionIds: 'none',
      resubmit: 'never',
      returnsMarkers: false,
      lagMs: 2_000,
      requestMs: 50,
      treatments: [],
      foreignAtMs: undefined,
      mishaps: [{ call: 2, when: 'after', what: 'death' }],
    };
    const alone = await play(base);
    expect(alone.record.promptId).toBe(alone.runs[0]);
    const { ends, record, runs: paid } = await play({ ...base, foreignAtMs: 100 });
    expect(record.promptId).toBeUndefined();
    expect(ends).toMatchObject([{ _tag: 'unknown', candidates: [...paid, 'foreign'] }]);
  });

  it('submits a job again that left no trace, only where it was told to', async () => {
    const base: Plot = {
      submissionIds: 'none',
      resubmit: 'never',
      returnsMarkers: false,
      lagMs: 0,
      requestMs: 50,
      treatments: [],
      foreignAtMs: undefined,
      mishaps: [{ call: 2, when: 'before', what: 'death' }],
    };
    expect(await play(base)).toMatchObject({ runs: [], ends: [{ _tag: 'unknown', candidates: [] }] });
    const again = await play({ ...base, resubmit: 'notFound' });
    expect(again.runs).toEqual([again.record.promptId]);
  });

  it('lets a late answer name the job that was given up as unknown', async () => {
    const { record, ends } = await play({
      submissionIds: 'none',
      resubmit: 'never',
      returnsMarkers: false,
      lagMs: 30_000,
      requestMs: 50,
      treatments: [],
      foreignAtMs: 100,
      mishaps: [{ call: 2, when: 'after', what: { suspendedMs: 200_000 } }],
    });
    expect(ends.map(({ _tag }) => _tag)).toEqual(['unknown', 'attached']);
    expect(record.promptId).toBeDefined();
  });

  it('submits under an id of the job’s own again after two late looks, not after one', () => {
    const ids = { submissionIds: 'jobs', submissionId: 's' } as const;
    const intent: Intent = { ...ids, attempt: 1, worker: 'w', at: 0, since: 0 };
    const lateMs = defaultRules.deadlineMs + defaultRules.lagMs;
    const observation = (at: number) => ({ at, marked: [], alike: [] });
    const next = (...at: readonly number[]) =>
      nextStep({ intent }, at.map(observation), defaultRules, at.at(-1) ?? 0);
    expect(next(0, lateMs)).toEqual({ _tag: 'observe', at: lateMs + defaultRules.lookEveryMs });
    expect(next(lateMs, lateMs + 1)).toEqual({ _tag: 'submit', attempt: 2, repeat: intent });
  });
});
