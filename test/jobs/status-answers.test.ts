import {
  afterAnswer,
  afterElsewhere,
  afterPause,
  type AnswerLimits,
  type AnswerRecord,
  asksElsewhere,
  nextPollMs,
  noMisses,
  verdictOf,
} from '../../src/client/jobs/status-answers.js';
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { runs } from '../helpers/runs.js';

type Kind = 'found' | 'missing' | 'odd' | 'failed';

interface Step {
  readonly gapMs: number;
  readonly poll: Kind;
  /** What was answered for other things, where it was asked. */
  readonly elsewhere: Kind | undefined;
  /** Whether timers did not run before it. */
  readonly isAsleep: boolean;
}

const kinds = fc.constantFrom<Kind>('found', 'missing', 'missing', 'missing', 'odd', 'failed');
const steps = fc.array(
  fc.record({
    gapMs: fc.oneof(fc.integer({ min: 1, max: 25_000 }), fc.integer({ min: 1, max: 4_000_000 })),
    poll: kinds,
    elsewhere: fc.option(kinds, { nil: undefined }),
    isAsleep: fc.boolean(),
  }),
  { maxLength: 60 },
);
const cloud: AnswerLimits = { wasSeen: true, notFoundMs: 30_000, elsewhereMs: 120_000 };
const local: AnswerLimits = { wasSeen: true, notFoundMs: 4_000, elsewhereMs: 0 };
const unseen: AnswerLimits = { ...cloud, wasSeen: false };

/** Each record together with the steps that led to it. */
const played = (all: readonly Step[]): { record: AnswerRecord; past: readonly Step[] }[] => {
  let record = noMisses;
  let now = 0;
  return all.map(({ gapMs, poll, elsewhere, isAsleep }, index) => {
    now += gapMs;
    if (isAsleep) record = afterPause(record);
    record = afterAnswer(record, poll, now);
    const at = { record, past: all.slice(0, index + 1) };
    if (elsewhere !== undefined && record !== noMisses) record = afterElsewhere(record, elsewhere, now);
    return at;
  });
};

/** The steps since a source last told of the job. */
const sinceFound = (past: readonly Step[]): readonly Step[] =>
  past.slice(past.findLastIndex(({ poll }) => poll === 'found') + 1);

const isAnswered = ({ poll }: Step): boolean => poll === 'missing' || poll === 'odd';

/** Time between polls that were both answered, with timers that ran: the most that may count. */
const answeredMs = (past: readonly Step[]): number =>
  sinceFound(past).reduce((sum, step, index, all) => {
    const before = all[index - 1];
    const counts = before !== undefined && isAnswered(before) && isAnswered(step) && !step.isAsleep;
    return counts ? sum + Math.min(30_000, step.gapMs) : sum;
  }, 0);

describe('what the answers about a job amount to', () => {
  it('F28: law: nothing is concluded from an answer that reports the job, nor from a request that failed', () => {
    fc.assert(
      fc.property(steps, (all) => {
        for (const { record, past } of played(all)) {
          const { poll } = past.at(-1)!;
          if (poll === 'found') expect(record).toBe(noMisses);
          for (const limits of [cloud, local, unseen]) {
            const verdict = verdictOf(record, limits);
            if (poll !== 'missing') expect(verdict === 'Untraceable' || verdict === 'NotFound').toBe(false);
          }
        }
      }),
    );
  });

  it('F28, F29: law: a verdict needs as much time between answered polls as it says', () => {
    fc.assert(
      fc.property(steps, (all) => {
        for (const { record, past } of played(all)) {
          const counted = answeredMs(past);
          if (verdictOf(record, local) === 'Untraceable') expect(counted).toBeGreaterThanOrEqual(30_000);
          if (verdictOf(record, cloud) === 'Untraceable') {
            expect(counted).toBeGreaterThanOrEqual(30_000);
            const served = sinceFound(past).filter(({ elsewhere }) => elsewhere === 'found');
            expect(served.length).toBeGreaterThanOrEqual(5);
          }
          if (verdictOf(record, unseen) === 'NotFound') expect(counted).toBeGreaterThanOrEqual(30_000);
          if (verdictOf(record, cloud) === 'ProtocolChanged') expect(counted).toBeGreaterThanOrEqual(300_000);
        }
      }),
    );
  });

  it('F31: law: a service that goes on to answer without sense, or knows nothing else either, is given up', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1_000, max: 25_000 }), { minLength: 400, maxLength: 400 }),
        fc.constantFrom<Kind>('missing', 'odd'),
        (gaps, poll) => {
          const all = gaps.map((gapMs) => ({ gapMs, poll, elsewhere: 'missing' as const, isAsleep: false }));
          const records = played(all).map(({ record }) => record);
          expect(records.some((record) => verdictOf(record, cloud) === 'ProtocolChanged')).toBe(true);
          expect(records.some((record) => verdictOf(record, cloud) === 'Untraceable')).toBe(false);
        },
      ),
      { numRuns: runs(20) },
    );
  });

  it('F31: law: a job of which nothing makes sense is given up, however well the service answers for others', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1_000, max: 25_000 }), { minLength: 400, maxLength: 400 }),
        (gaps) => {
          const odd = gaps.map(
            (gapMs) => ({ gapMs, poll: 'odd', elsewhere: 'found', isAsleep: false }) as const,
          );
          const all = [{ ...odd[0]!, poll: 'missing' as const }, ...odd];
          const verdicts = played(all).map(({ record }) => verdictOf(record, cloud));
          expect(verdicts).toContain('ProtocolChanged');
        },
      ),
      { numRuns: runs(20) },
    );
  });

  it('F28: law: while anything is amiss the next poll comes within 20 s', () => {
    fc.assert(
      fc.property(steps, (all) => {
        for (const { record } of played(all)) {
          for (const limits of [cloud, local, unseen]) {
            const next = nextPollMs(record, limits);
            expect(next === undefined).toBe(record === noMisses);
            if (next !== undefined) expect(next).toBeGreaterThanOrEqual(500);
            if (next !== undefined) expect(next).toBeLessThanOrEqual(20_000);
          }
        }
      }),
    );
  });

  it('polls after 2 s, and ever slower', () => {
    let record = noMisses;
    const waits: number[] = [];
    for (let now = 0; waits.length < 9;) {
      record = afterAnswer(record, 'missing', now);
      const wait = nextPollMs(record, cloud)!;
      waits.push(Math.round(wait));
      now += wait;
    }
    expect(waits).toEqual([2_000, 2_000, 3_000, 4_500, 6_750, 10_125, 1_625, 20_000, 20_000]);
  });
});

describe('what polls are answered', () => {
  const missing = afterAnswer(noMisses, 'missing', 1_000);
  const odd = afterAnswer(missing, 'odd', 6_000);

  it('adds up from one poll to the next', () => {
    expect(missing).toEqual({
      since: 1_000,
      polls: 1,
      misses: 1,
      isMissing: true,
      missingMs: 0,
      elsewhereMs: 0,
      oddMs: 0,
      goneMs: 0,
      isRouteGone: false,
      answeredAt: 1_000,
      elsewhereAt: undefined,
    });
    expect(odd).toEqual({ ...missing, polls: 2, isMissing: false, oddMs: 5_000, answeredAt: 6_000 });
    expect(afterAnswer(missing, 'missing', 6_000)).toEqual({
      ...missing,
      polls: 2,
      misses: 2,
      missingMs: 5_000,
      answeredAt: 6_000,
    });
    expect(afterAnswer(odd, 'found', 7_000)).toBe(noMisses);
  });

  it('counts at most 30 s of a gap', () => {
    expect(afterAnswer(missing, 'missing', 31_000).missingMs).toBe(30_000);
    expect(afterAnswer(missing, 'missing', 900_000).missingMs).toBe(30_000);
  });

  it.each(['failed', 'final'] as const)('learns of no time by a poll that %s', (kind) => {
    const asked = afterElsewhere(missing, 'found', 1_000);
    expect(afterAnswer(asked, kind, 6_000)).toEqual({
      ...missing,
      polls: 2,
      isMissing: false,
      answeredAt: undefined,
    });
    expect(afterAnswer(noMisses, kind, 6_000)).toBe(noMisses);
    expect(afterElsewhere(asked, kind, 6_000)).toEqual({ ...asked, elsewhereAt: undefined });
  });

  it('F14: takes a miss for an odd answer while the service knows no other job either', () => {
    const gone = afterElsewhere(missing, 'missing', 1_000);
    expect(gone).toEqual({ ...missing, isRouteGone: true });
    expect(afterElsewhere(missing, 'odd', 1_000)).toEqual(gone);
    const still = afterAnswer(gone, 'missing', 6_000);
    expect(still).toMatchObject({ missingMs: 5_000, oddMs: 0, goneMs: 5_000 });
    expect(afterElsewhere(still, 'found', 6_000)).toMatchObject({ isRouteGone: false, goneMs: 0 });
  });

  it('adds up for how long the service answered for other things', () => {
    const once = afterElsewhere(missing, 'found', 1_000);
    expect([once.elsewhereMs, once.elsewhereAt]).toEqual([0, 1_000]);
    expect(afterElsewhere(once, 'found', 21_000).elsewhereMs).toBe(20_000);
    expect(afterElsewhere(once, 'found', 91_000).elsewhereMs).toBe(30_000);
    expect(afterElsewhere(afterPause(once), 'found', 21_000).elsewhereMs).toBe(0);
    expect(afterPause(noMisses)).toBe(noMisses);
  });

  it.each<[string | undefined, Partial<AnswerRecord>, AnswerLimits]>([
    ['ProtocolChanged', { oddMs: 300_000 }, cloud],
    [undefined, { oddMs: 299_999 }, cloud],
    ['ProtocolChanged', { oddMs: 200_000, goneMs: 100_000 }, cloud],
    [undefined, { isMissing: false, missingMs: 30_000, elsewhereMs: 120_000 }, cloud],
    ['Untraceable', { missingMs: 30_000, elsewhereMs: 120_000 }, cloud],
    [undefined, { missingMs: 29_999, elsewhereMs: 120_000 }, cloud],
    [undefined, { missingMs: 30_000, elsewhereMs: 119_999 }, cloud],
    ['Untraceable', { missingMs: 30_000 }, local],
    ['NotFound', { missingMs: 30_000 }, unseen],
    [undefined, { missingMs: 29_999, elsewhereMs: 120_000 }, unseen],
  ])('F3: amounts to %s after %j', (verdict, more, limits) => {
    expect(verdictOf({ ...missing, ...more }, limits)).toBe(verdict);
  });

  it.each<[number | undefined, Partial<AnswerRecord>, AnswerLimits]>([
    [undefined, { polls: 0 }, cloud],
    [2_000, { polls: 1 }, cloud],
    [2_000, { polls: 2 }, cloud],
    [3_000, { polls: 3 }, cloud],
    [4_500, { polls: 4 }, cloud],
    [20_000, { polls: 30 }, cloud],
    [1_000, { polls: 30, missingMs: 29_000 }, cloud],
    [1_000, { polls: 30, missingMs: 29_000 }, local],
    [500, { polls: 30, missingMs: 29_900 }, cloud],
    [20_000, { polls: 30, missingMs: 30_000 }, cloud],
    [20_000, { polls: 30, missingMs: 29_900, misses: 0 }, cloud],
    [1_000, { polls: 30, missingMs: 3_000 }, { ...local, wasSeen: false }],
  ])('F2: polls again after %s ms after %j', (delayMs, more, limits) => {
    expect(nextPollMs({ ...missing, ...more }, limits)).toBe(delayMs);
  });

  it('asks for other things from the second miss on, every 20 s', () => {
    expect(asksElsewhere(missing, 1_000)).toBe(false);
    const twice = { ...missing, misses: 2 };
    expect(asksElsewhere(twice, 1_000)).toBe(true);
    expect(asksElsewhere({ ...twice, elsewhereAt: 1_000 }, 20_999)).toBe(false);
    expect(asksElsewhere({ ...twice, elsewhereAt: 1_000 }, 21_000)).toBe(true);
  });

  it('F14: counts the time to an odd answer once, also while the routes are gone', () => {
    const gone = { ...missing, isRouteGone: true, answeredAt: 1_000 };
    expect(afterAnswer(gone, 'odd', 6_000)).toMatchObject({ oddMs: 5_000, goneMs: 0 });
    expect(afterAnswer(gone, 'missing', 6_000)).toMatchObject({ oddMs: 0, goneMs: 5_000 });
  });
});
