import { describe, expect, it } from 'vitest';
import { judge } from './invariants/index.js';
import { plainJob } from './plain-job.js';
import { play } from './play.js';
import type { JobPlan, Schedule } from './schedule.js';

const job = (index: number, stepMs: number): JobPlan => ({
  ...plainJob(index),
  queueMs: 1_000,
  nodes: 4,
  stepMs,
});

/** A short job and a long one; the socket answers pings, where it gets any, and brings nothing from `running` on. */
const silent = (platform: Schedule['platform']): Schedule => ({
  seed: 1,
  platform,
  jobs: [job(0, 500), job(1, 10_000)],
  faults: [
    {
      index: 0,
      kind: 'service falls silent but answers pings',
      job: 0,
      moment: 'running',
      afterMs: 0,
      size: 0.5,
    },
  ],
});

describe('a stream that falls silent while its socket stays open', () => {
  it.each(['node', 'page'] as const)(
    'B2: gets another socket (%s), which brings the end of the next job itself',
    async (platform) => {
      const played = await play(silent(platform));
      const { ledger, jobs } = played.backend;
      expect(judge(played).violations).toEqual([]);
      expect(ledger.handshakes).toHaveLength(2);
      const [short, long] = [0, 1].map(
        (index) => [...jobs.byId.values()].find(({ plan }) => plan.index === index)?.endedAt ?? Infinity,
      );
      expect(ledger.handshakes[1]!.at).toBeGreaterThan(short!);
      expect(ledger.handshakes[1]!.at).toBeLessThan(short! + 60_000);
      const settled = played.observed.watchers.find((watcher) => watcher.job === 1)?.settledAt() ?? Infinity;
      expect(long).toBeGreaterThan(ledger.handshakes[1]!.at);
      expect(settled - long!).toBeLessThan(2_000);
    },
  );
});
