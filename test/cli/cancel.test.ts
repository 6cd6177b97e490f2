import { asyncScheduler } from 'rxjs';
import { answers, fakeRest } from '../helpers/fake-rest.js';
import { cancelAndConfirm } from '../../src/cli/commands/cancel.js';
import { describe, expect, it } from 'vitest';
import { type JobStatus, serviceError, type ServiceError } from '../../src/node.js';
import { jsonLines } from './helpers/json-lines.js';
import { slowWorkflow } from './helpers/workflows.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { workspace } from './helpers/workspace.js';

const unknownId = '00000000-0000-4000-8000-000000000000';

describe.each(['cloud', 'local'] as const)('promptwire cancel, %s', (dialect) => {
  const setting = async (options: Parameters<typeof workspace>[0] = {}) => {
    const { cli, file, emulator, asked } = await workspace({ dialect, ...options });
    const call = (argv: readonly string[]) => cli([...argv, '--dialect', dialect]);
    const detached = async (steps: number): Promise<string> => {
      const running = call(['run', await file('wf.json', slowWorkflow(steps)), '--detach']);
      expect(await running.exit).toBe(0);
      return running.stdout().trim();
    };
    return { call, detached, emulator, asked };
  };

  it('ends with 0 for a job that runs and for one that waits, and both are cancelled', async () => {
    const { call, detached } = await setting({ speed: 0.5, tier: 'free' });
    const running = await detached(100_000);
    const following = call(['follow', running, '--json']);
    await following.printed('in_progress');
    const waiting = await detached(100_000);
    const cancelling = call(['cancel', waiting, running]);
    expect(await cancelling.exit).toBe(0);
    expect(cancelling.stdout().trim().split('\n').sort()).toEqual(
      [running, waiting].map((id) => `Cancelled ${id}`).sort(),
    );
    expect(await following.exit).toBe(7);
  });

  it('ends with 16 for a job that was over, and says how it ended', async () => {
    const { call, detached } = await setting();
    const promptId = await detached(1);
    expect(await call(['follow', promptId]).exit).toBe(0);
    const cancelling = call(['cancel', promptId]);
    expect(await cancelling.exit).toBe(16);
    expect(cancelling.stdout()).toBe('');
    expect(cancelling.stderr()).toContain(`${promptId} was over before: completed`);
    const json = call(['cancel', promptId, '--json']);
    expect(await json.exit).toBe(16);
    expect(jsonLines(json.stdout())).toMatchObject([
      { kind: 'over', promptId, phase: 'completed' },
      { kind: 'end', exit: 'over', code: 16 },
    ]);
  });

  it('ends with 9 for an id that the service does not know', async () => {
    const { call } = await setting();
    const cancelling = call(['cancel', unknownId, '--json']);
    expect(await cancelling.exit).toBe(9);
    expect(jsonLines(cancelling.stdout())).toMatchObject([
      { kind: 'error', tag: 'NotFound' },
      { kind: 'end', exit: 'untraceable' },
    ]);
  });

  it('ends with the code of the first id that was not cancelled', async () => {
    const { call, detached } = await setting();
    const promptId = await detached(1);
    expect(await call(['follow', promptId]).exit).toBe(0);
    expect(await call(['cancel', unknownId, promptId]).exit).toBe(9);
    expect(await call(['cancel', promptId, unknownId]).exit).toBe(16);
  });
});

describe('promptwire cancel', () => {
  it('ends with 14 for a job that the service does not end', async () => {
    const { cli, file } = await workspace({ speed: 0.5, switches: { queueDelete: 'pending' } });
    const running = cli(['run', await file('wf.json', slowWorkflow(100_000)), '--json']);
    await running.printed('in_progress');
    const promptId = String(jsonLines(running.stdout())[0]?.['promptId']);
    const cancelling = cli(['cancel', promptId, '--json']);
    expect(await cancelling.exit).toBe(14);
    expect(jsonLines(cancelling.stdout())).toMatchObject([
      { kind: 'error', tag: 'CancelNotApplied', promptId },
      { kind: 'end', exit: 'goesOn' },
    ]);
    running.signal('SIGINT');
    expect(await running.exit).toBe(130);
  });

  it('asks for the end also where no look tells of the job', async () => {
    const { cli, file, emulator, asked } = await workspace({ speed: 0.5 });
    const running = cli(['run', await file('wf.json', slowWorkflow(100_000)), '--json']);
    await running.printed('in_progress');
    const promptId = String(jsonLines(running.stdout())[0]?.['promptId']);
    emulator.answerOnce('GET', `/api/job/${promptId}/status`, { status: 404 });
    const cancelling = cli(['cancel', promptId]);
    expect(await cancelling.exit).toBe(0);
    expect(asked()).toContain('POST /api/queue');
    expect(await running.exit).toBe(7);
  });
});

const status = (phase: JobStatus['phase']): JobStatus => ({ promptId: 'p', status: phase, phase });

/** The outcome for a job of these statuses, one for each look, and how often the cancellation was asked for. */
const outcomeOf = async (statuses: readonly (JobStatus | ServiceError)[], withinMs?: number) => {
  let requests = 0;
  const outcome = await cancelAndConfirm(
    {
      cancel: () => {
        requests += 1;
        return TE.right(undefined);
      },
      rest: fakeRest({ jobStatus: answers<JobStatus>(...statuses).call }),
    },
    'p',
    {
      signal: new AbortController().signal,
      scheduler: asyncScheduler,
      ...(withinMs === undefined ? {} : { withinMs }),
    },
  );
  return { outcome, requests };
};

describe('cancelAndConfirm', () => {
  it('asks again while the job goes on, until it has ended, also where a look fails', async () => {
    const looks = [
      status('in_progress'),
      status('in_progress'),
      serviceError('ServerError', { message: 'x' }),
    ];
    expect(await outcomeOf([...looks, status('cancelled')])).toEqual({
      outcome: { _tag: 'cancelled' },
      requests: 2,
    });
  });

  it('takes a job for cancelled that a local server has forgotten', async () => {
    const { outcome } = await outcomeOf([status('pending'), serviceError('NotFound', {})]);
    expect(outcome).toEqual({ _tag: 'cancelled' });
  });

  it('asks for the end of a job that no look knows, and says so', async () => {
    const { outcome, requests } = await outcomeOf([serviceError('NotFound', {})]);
    expect(outcome).toMatchObject({ _tag: 'failed', error: { _tag: 'NotFound' } });
    expect(requests).toBe(1);
  });

  it('tells a job that completed meanwhile from one that was cancelled', async () => {
    const { outcome } = await outcomeOf([status('in_progress'), status('completed')]);
    expect(outcome).toEqual({ _tag: 'over', phase: 'completed' });
  });

  it('asks for nothing where the job is over, cancelled or not', async () => {
    expect(await outcomeOf([status('cancelled')])).toEqual({
      outcome: { _tag: 'over', phase: 'cancelled' },
      requests: 0,
    });
  });

  it('says that the cancellation was not applied where the job does not end in time', async () => {
    const { outcome } = await outcomeOf([status('in_progress')], 0);
    expect(outcome).toMatchObject({ _tag: 'failed', error: { _tag: 'CancelNotApplied', promptId: 'p' } });
  });
});
