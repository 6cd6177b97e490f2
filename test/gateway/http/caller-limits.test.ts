import { describe, expect, it } from 'vitest';
import { checked, limitsOf, totalsOf } from '../../../src/server/gateway/http/caller-limits.js';
import { defaultLimits, defaultTotals } from '../../../src/server/gateway/options.js';

describe('the limits of a caller', () => {
  it('are its own before the gateway’s before the defaults, and no member that is not set takes one away', () => {
    expect(limitsOf()).toEqual(defaultLimits);
    const unset = { uploads: undefined } as never;
    expect(limitsOf({ jobs: 5, streams: 6, uploads: 7 }, { jobs: 1, streams: 0 }, unset)).toEqual({
      ...defaultLimits,
      ...{ jobs: 1, streams: 0, uploads: 7 },
    });
    expect(limitsOf({ jobs: Infinity }).jobs).toBe(Infinity);
    expect(totalsOf({ streams: 1 })).toEqual({ ...defaultTotals, streams: 1 });
  });

  it.each([NaN, -1, '5', null])('are none where one is %j', (jobs) => {
    const limits = { jobs } as never;
    expect(() => limitsOf(limits)).toThrow(`limits.jobs is ${String(jobs)}, where it has to be a number`);
    expect(() => limitsOf({ jobs: 5 }, limits)).toThrow(expect.objectContaining({ _tag: 'InvalidConfig' }));
    expect(() => totalsOf({ uploads: jobs } as never)).toThrow(`totals.uploads is ${String(jobs)}`);
  });

  it('are named with their group, and options of the gateway by themselves', () => {
    const bounds = { keepMs: 5, stallMs: undefined, maxWaitMs: NaN };
    expect(() => checked('', bounds)).toThrow(
      expect.objectContaining({
        ...{ option: 'maxWaitMs', message: 'maxWaitMs is NaN, where it has to be a number of 0 or more.' },
      }) as Error,
    );
    expect(() => checked('limits', bounds)).toThrow(
      expect.objectContaining({
        option: 'limits',
        message: expect.stringMatching(/^limits\.maxWaitMs is/u) as string,
      }) as Error,
    );
    expect(checked('', { keepMs: 5, stallMs: undefined })).toStrictEqual({ keepMs: 5 });
  });
});
