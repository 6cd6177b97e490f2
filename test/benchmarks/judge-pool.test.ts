import { expect, it } from 'vitest';
import { judgePool, outcomeWord } from '../../benchmarks/compare/pools/judge-pool.js';
import { wordOf } from '../../benchmarks/compare/pools/pool-job.js';
import type { LedgerJob } from '../../src/emulator.js';

const ran = (job: number, createdAt: number, state: LedgerJob['state'] = 'completed'): LedgerJob => ({
  ...{ promptId: `${job}-${createdAt}`, state, createdAt, endedAt: createdAt + 500, extraData: {} },
  outputs: state === 'completed' ? { '2': { text: [wordOf(job)] } } : {},
});

it('tells by the ledgers of the engines what became of each job of a pool', () => {
  const ledger = [
    ran(0, 0),
    ran(1, 500),
    ran(1, 1_000),
    ran(2, 1_500),
    ran(4, 2_000, 'in_progress'),
    ran(11, 0),
  ];
  const words = { completed: new Set([0, 1, 5]), failed: new Set([3]), hasCrashed: true };
  const outcome = judgePool(6, ledger, words);
  expect(outcome).toEqual({
    ...{ done: 2, failed: 1, unheard: 1, lost: 1, invented: 1, twice: 1, perSecond: undefined },
  });
  expect(outcomeWord(outcome, true)).toBe(
    '2 done, 1 failed with an error, 1 done without a word, **1 lost**, 1 said done that no engine did, 1 run twice, process crashes',
  );
});

it('counts the jobs of a second from the first submission to the last end', () => {
  const words = { completed: new Set([0, 1]), failed: new Set<number>(), hasCrashed: false };
  const outcome = judgePool(2, [ran(0, 1_000), ran(1, 1_500)], words);
  expect([outcome.perSecond, outcomeWord(outcome, false)]).toEqual([2, '2 done']);
});
