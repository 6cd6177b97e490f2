import { describe, expect, it } from 'vitest';
import * as E from 'fp-ts/lib/Either.js';
import type { AgainJob } from '../../../../src/server/queue/servers/server-store.js';
import {
  giveUpJobs,
  jobsToGiveUp,
  settleGivenUp,
} from '../../../../src/server/queue/worker/servers/give-up.js';
import { known, lookAt, report, saidOf } from './known.js';
import { serviceError } from '../../../../src/core/errors/service-error.js';

const uses = ['1', 'late:p'].map((id) => ({ id, at: 0, ms: 0 }));

describe('the jobs of a server that no worker reaches', () => {
  it('are given up after a while, but for copies that were given up before, and where a run costs money', () => {
    const away = { uses, awaySince: 400 };
    const costly = known('cloud', [], { ...away, last: report({ rerunsLost: false }) });
    const unheard = known('unheard', [], { ...away, last: undefined });
    const look = lookAt([known('attic', [report()], away), costly, unheard]);
    expect(jobsToGiveUp(look, 600)).toEqual([{ id: '1', server: 'attic' }]);
    expect(jobsToGiveUp(look, 601)).toEqual([]);
    expect(jobsToGiveUp(lookAt([known('attic', [report()], { uses })]), 0)).toEqual([]);
  });

  it('are submitted again, each with the reason in its log', async () => {
    const calls: unknown[] = [];
    const again = (call: AgainJob) => Promise.resolve(calls.push(saidOf(call)) > 0);
    await giveUpJobs({ again }, lookAt([known('attic', [report()], { uses, awaySince: 0 })]), 700, 9);
    const warning = 'No worker has reached the server attic for 700 ms: the job is submitted again.';
    expect(calls).toEqual([
      {
        ...{ id: '1', server: 'attic', by: { awayMs: 700 }, why: { _tag: 'lost' } },
        ...{ at: 9, phase: 'submitting', warnings: [warning], attempt: 2 },
      },
    ]);
  });
});

describe('copies that were given up', () => {
  /** Each server answers in its own way; `gone` is one that this worker does not reach. */
  const settled = async (...servers: readonly string[]) => {
    const calls: unknown[] = [];
    const answers: Readonly<Record<string, unknown>> = {
      ended: E.right({ phase: 'completed' }),
      runs: E.right({ phase: 'in_progress' }),
      forgot: E.left(serviceError('NotFound', { message: 'It is unknown.' })),
      away: E.left(serviceError('Timeout', { message: 'No answer came.', timeoutMs: 1, sent: true })),
    };
    const clientOf = (server: string) =>
      server in answers
        ? {
            rest: {
              jobStatus: (promptId: string, options: { readonly timeoutMs: number }) => {
                calls.push(['asked', promptId, options.timeoutMs]);
                return () => Promise.resolve(answers[server]);
              },
            },
          }
        : undefined;
    const lateEnd = (...call: readonly unknown[]) => Promise.resolve(void calls.push(call));
    await settleGivenUp(
      { lateEnd },
      servers.map((server) => [`p-${server}`, server]),
      clientOf as never,
    );
    return calls;
  };

  it('free their slot once their server shows that they ended, or that it has forgotten them', async () => {
    expect(await settled('ended', 'forgot')).toEqual([
      ['asked', 'p-ended', 5_000],
      ['p-ended', 'ended', true],
      ['asked', 'p-forgot', 5_000],
      ['p-forgot', 'forgot', false],
    ]);
  });

  it('keep it while they run, and while their server gives no answer; one that is not reached is not asked', async () => {
    expect(await settled('gone', 'runs', 'away')).toEqual([
      ['asked', 'p-runs', 5_000],
      ['asked', 'p-away', 5_000],
    ]);
  });
});
