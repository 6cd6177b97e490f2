import {
  checkWorkerOptions,
  countsExternalJobs,
} from '../../../src/server/queue/worker/check-worker-options.js';
import { describe, expect, it } from 'vitest';
import type { QueueWorkerOptions } from '../../../src/server/queue/options.js';

const client = {} as never;
const pool = {} as never;
const check = (options: Partial<QueueWorkerOptions>) => () =>
  checkWorkerOptions({ connection: 'redis://127.0.0.1', name: 'q', ...options });

describe('the options of a worker', () => {
  it.each([
    ['a client', { client }],
    [
      'a client that counts the jobs of other programs, with a tier',
      { client, countExternalJobs: true, tier: 2 },
    ],
    ['a pool', { pool, placement: () => undefined, rules: { rerun: 'never', giveUpAfterMs: 0 } }],
    ['a pool that gives up nothing', { pool, rules: { rerun: 'lost', giveUpAfterMs: Infinity } }],
  ] as const)('may be %s', (_, options) => {
    expect(check(options)).not.toThrow();
  });

  it.each([
    ['client', 'A worker has neither a client nor a pool.', {}],
    ['client', 'A worker has a client and a pool.', { client, pool }],
    ['tier', undefined, { pool, tier: 2 }],
    ['countExternalJobs', undefined, { pool, countExternalJobs: true }],
    ['placement', 'placement is no function.', { pool, placement: 'nearest' }],
    ['rules.rerun', undefined, { pool, rules: { rerun: 'always' } }],
    ['rules.giveUpAfterMs', undefined, { pool, rules: { giveUpAfterMs: -1 } }],
    ['rules.giveUpAfterMs', undefined, { pool, rules: { giveUpAfterMs: '5' } }],
    ['rules.giveUpAfterMs', undefined, { pool, rules: { giveUpAfterMs: NaN } }],
    ['name', undefined, { client, name: '' }],
  ])('are refused by the name of what can’t work: %s', (option, message, options) => {
    const expected = { _tag: 'InvalidConfig', option, ...(message !== undefined && { message }) };
    expect(check(options as never)).toThrow(expect.objectContaining(expected) as Error);
  });

  it('count the jobs of other programs under either name, the newer one first', () => {
    const counts = (options: Partial<QueueWorkerOptions>) =>
      countsExternalJobs({ connection: 'redis://127.0.0.1', name: 'q', ...options });
    expect([{}, { countExternalJobs: true }].map(counts)).toEqual([false, true]);
    // The former name is public for one more minor version.
    const former = { countForeignJobs: true };
    expect([counts(former), counts({ ...former, countExternalJobs: false })]).toEqual([true, false]);
  });
});
