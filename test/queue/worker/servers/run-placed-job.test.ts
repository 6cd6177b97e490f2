import { describe, expect, it, onTestFinished } from 'vitest';
import { listenTo } from '../../../../src/server/queue/telemetry/channels.js';
import { placed } from './known.js';
import { placedJobs } from '../../../../src/server/queue/worker/servers/run-placed-job.js';
import { virtualClock } from '../../../../src/testing.js';

/** A job that this worker got for `attic`, which it reaches; `fails` has its log reject. */
const world = (
  options: { readonly reaches?: boolean; readonly fails?: boolean; readonly kept?: boolean } = {},
) => {
  const { reaches = true, fails = false, kept = true } = options;
  const clock = virtualClock();
  const calls: string[] = [];
  const stopping = new AbortController();
  const lost = new AbortController();
  onTestFinished(
    listenTo(
      'promptwire:queue:end',
      ({ jobId, phase, reason }) => void calls.push(`told ${jobId} ${phase} ${reason}`),
    ),
  );
  const common = {
    ...{ queue: 'q', worker: 'w', clock, rules: {} },
    log: {
      read: () => (fails ? Promise.reject(new Error('away')) : Promise.resolve({ events: [], gap: false })),
    },
    queueStore: {
      append: (_: unknown, __: string, events: readonly { readonly status?: object }[]) => {
        for (const { status } of events) {
          const { phase, failure, attempt } = status as never as {
            readonly phase: string;
            readonly failure?: { readonly exceptionType: string };
            readonly attempt?: number;
          };
          calls.push(`log ${phase} ${failure?.exceptionType ?? ''} ${attempt ?? ''}`.trim());
        }
        return Promise.resolve(kept ? 'all' : 'none');
      },
      images: () => ({}),
      progress: () => Promise.resolve(),
    },
    store: {
      leave: (_: unknown, phase: string, reason?: string) => {
        calls.push(`leave ${phase} ${reason ?? ''}`.trim());
        return Promise.resolve(true);
      },
      workflow: () => Promise.resolve(undefined),
    },
  };
  const run = placedJobs({
    ...{ servers: {}, bring: undefined, rules: {}, clock, stopping: stopping.signal, ending: common },
    tellThrown: (what: string, cause: Error) => void calls.push(`told: ${what}: ${cause.message}`),
    reached: { client: () => (reaches ? {} : undefined) },
    contextAt: (server: string) => ({ ...common, queue: `q at ${server}` }),
  } as never);
  return { run, calls, clock, stopping, lost };
};

describe('a job that a worker got for one of its servers', () => {
  it('is led to its end there', async () => {
    const { run, calls, lost } = world();
    await run(placed('x', { job: { reruns: 1 } }), lost.signal);
    expect(calls).toEqual([
      'log failed Unknown 2',
      'leave ended The workflow is gone.',
      'told x failed The workflow is gone.',
    ]);
  });

  it.each([
    ['its server is not reached any more', { reaches: false }, 'none'],
    ['the worker stops', {}, 'stopping'],
    ['another worker has it', {}, 'lost'],
  ] as const)('waits again where %s', async (_, options, fires) => {
    const { run, calls, ...signals } = world(options);
    if (fires !== 'none') signals[fires].abort();
    await run(placed('x'), signals.lost.signal);
    expect(calls).toEqual(['leave waiting']);
  });

  it('waits again a second after its run threw, which is told, and at once where the worker stops', async () => {
    const { run, calls, clock, lost, stopping } = world({ fails: true });
    const running = run(placed('x'), lost.signal);
    await clock.advance(999);
    const told = 'told: The run of the job x threw, and is tried again: away';
    expect(calls).toEqual([told]);
    await clock.advance(1);
    await running;
    expect(calls).toEqual([told, 'leave waiting']);
    calls.length = 0;
    const other = run(placed('y'), lost.signal);
    await clock.advance(0);
    stopping.abort();
    await other;
    expect(calls).toEqual(['told: The run of the job y threw, and is tried again: away', 'leave waiting']);
  });

  it('that no server can run ends with the reason, on record', async () => {
    const { run, calls, lost } = world();
    await run(placed('x', { server: '' }), lost.signal, 'no class X');
    expect(calls).toEqual([
      'log failed InvalidWorkflow 1',
      'leave ended no class X',
      'told x failed no class X',
    ]);
    const taken = world({ kept: false });
    await taken.run(placed('x'), lost.signal, 'no class X');
    expect(taken.calls).toEqual(['log failed InvalidWorkflow 1', 'leave waiting']);
  });
});
