import { describe, expect, it } from 'vitest';
import { forgetExpired } from '../../../src/server/gateway/jobs/forget-expired.js';
import type { JobRecord } from '../../../src/server/joblog/job-index.js';
import { virtualClock } from '../../../src/testing/virtual-clock.js';

const recordOf = (id: string, expiresAt: number, hasEnded = true): JobRecord => ({
  ...{ id, submissionId: id, owner: 'o', client: 'c', createdAt: 1, expiresAt, workflow: {} },
  ...(hasEnded && { ended: { phase: 'completed' as const, at: 1 } }),
});

/** Index, registry and other processes of a gateway, which say what they are asked. */
const played = () => {
  const clock = virtualClock();
  const start = clock.wall();
  const calls: string[] = [];
  const failing = { expire: false, remove: false };
  const known = [
    recordOf('over', start + 60_000),
    recordOf('later', start + 60_001),
    recordOf('running', start, false),
  ];
  const index = {
    expire: (now: number) => {
      calls.push(`expire at ${now - start}`);
      return failing.expire
        ? Promise.reject(new Error('away'))
        : Promise.resolve([recordOf('a', 1), recordOf('b', 1)]);
    },
  };
  const registry = {
    all: () => known.map((record) => ({ record })),
    remove: ({ id }: JobRecord) => {
      calls.push(`remove ${id}`);
      return failing.remove ? Promise.reject(new Error('away')) : Promise.resolve();
    },
  };
  const shared = {
    kept: (jobs: readonly { readonly record: JobRecord }[]) => {
      calls.push(`kept ${jobs.map(({ record }) => record.id).join()}`);
      return Promise.resolve(jobs);
    },
  };
  const forgetting = forgetExpired(clock, index as never, registry as never, shared as never);
  return { clock, calls, failing, forgetting };
};

describe('the forgetting of jobs', () => {
  it('comes every minute: what expired goes from index and registry, and what others took down is looked for', async () => {
    const { clock, calls, forgetting } = played();
    await clock.advance(59_999);
    expect(calls).toEqual([]);
    await clock.advance(1);
    expect(calls).toEqual(['expire at 60000', 'remove a', 'remove b', 'kept over']);
    await clock.advance(60_000);
    expect(calls.slice(4)).toEqual(['expire at 120000', 'remove a', 'remove b', 'kept over,later']);
    forgetting.unsubscribe();
    expect(clock.pending()).toBe(0);
  });

  it('goes on where index or log do not answer', async () => {
    const { clock, calls, failing } = played();
    failing.expire = true;
    await clock.advance(60_000);
    expect(calls).toEqual(['expire at 60000']);
    failing.expire = false;
    failing.remove = true;
    await clock.advance(60_000);
    expect(calls.slice(1)).toEqual(['expire at 120000', 'remove a', 'remove b', 'kept over,later']);
  });

  it('keeps no program alive', async () => {
    const { clock } = played();
    await clock.runUntilIdle();
    expect(clock.now()).toBe(0);
  });
});
