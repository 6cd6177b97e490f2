import { dialects } from '../../src/client/dialects/dialects.js';
import { cancelOnce } from '../../src/client/jobs/cancel-job.js';
import { describe, expect, it } from 'vitest';
import { fakeRest } from '../helpers/fake-rest.js';
import type { JobStatus } from '../../src/core/endpoints/job-status.js';
import type { Rest } from '../../src/core/http/rest.js';
import { serviceError } from '../../src/core/errors/service-error.js';
import * as TE from 'fp-ts/lib/TaskEither.js';

const status = (phase: JobStatus['phase']): Partial<Rest> => ({
  jobStatus: () => TE.right({ promptId: 'p', status: phase, phase }),
});

const cancelling = (dialect: 'cloud' | 'local', rest: Partial<Rest>) => {
  const calls: string[] = [];
  const recording = fakeRest({
    ...rest,
    cancel: (ids, options) => {
      calls.push(`delete ${ids.join()}`);
      return rest.cancel?.(ids, options) ?? TE.right({});
    },
    interrupt: (options) => {
      calls.push(`interrupt ${options?.promptId ?? 'everything'}`);
      return TE.right(undefined);
    },
  });
  const told: string[] = [];
  const tracker = { cancelled: (promptId: string) => void told.push(promptId) };
  const context = { rest: recording, dialect: dialects[dialect], tracker };
  return { calls, told, outcome: cancelOnce(context, 'p')() };
};

describe('cancelOnce', () => {
  it('deletes by id and believes an answer that names it', async () => {
    const { calls, told, outcome } = cancelling('cloud', { cancel: () => TE.right({ deleted: ['p'] }) });
    expect(await outcome).toEqual({ _tag: 'Right', right: undefined });
    expect(calls).toEqual(['delete p']);
    expect(told).toEqual(['p']);
  });

  it('believes an answer that says nothing', async () => {
    const { outcome } = cancelling('cloud', {});
    expect(await outcome).toMatchObject({ _tag: 'Right' });
  });

  it('F8: is CancelNotApplied when the job was left out and goes on', async () => {
    const { outcome } = cancelling('cloud', {
      cancel: () => TE.right({ deleted: [] }),
      ...status('in_progress'),
    });
    expect(await outcome).toMatchObject({
      _tag: 'Left',
      left: { _tag: 'CancelNotApplied', promptId: 'p', phase: 'in_progress' },
    });
  });

  it.each(['completed', 'cancelled', 'failed'] as const)(
    'F7: is content with a job that is %s already',
    async (phase) => {
      const { outcome } = cancelling('cloud', { cancel: () => TE.right({ deleted: [] }), ...status(phase) });
      expect(await outcome).toMatchObject({ _tag: 'Right' });
    },
  );

  it('M1: deletes on a local engine, and interrupts by id what its queue shows as running', async () => {
    const { calls, outcome } = cancelling('local', status('in_progress'));
    expect(await outcome).toMatchObject({ _tag: 'Right' });
    expect(calls).toEqual(['delete p', 'interrupt p']);
  });

  it.each(['completed', 'cancelled', 'failed'] as const)(
    'M1: interrupts nothing on a local engine where the job is %s',
    async (phase) => {
      const { calls, told, outcome } = cancelling('local', status(phase));
      expect(await outcome).toMatchObject({ _tag: 'Right' });
      expect([calls, told]).toEqual([['delete p'], ['p']]);
    },
  );

  it('M10: a job whose deletion a local engine took is known as deleted, though the look after it fails', async () => {
    const error = serviceError('ServerError', { status: 500 });
    const { calls, told, outcome } = cancelling('local', { jobStatus: () => TE.left(error) });
    expect(await outcome).toEqual({ _tag: 'Left', left: error });
    expect([calls, told]).toEqual([['delete p'], ['p']]);
    const refused = cancelling('local', { cancel: () => TE.left(error) });
    expect(await refused.outcome).toEqual({ _tag: 'Left', left: error });
    expect(refused.told).toEqual([]);
  });

  it('M1: interrupts nothing on a local engine that knows no such job', async () => {
    const { calls, outcome } = cancelling('local', {
      jobStatus: () => TE.left(serviceError('NotFound', {})),
    });
    expect(await outcome).toMatchObject({ _tag: 'Right' });
    expect(calls).toEqual(['delete p']);
  });

  it('M1: is CancelNotApplied on a local engine that still lists the job as waiting', async () => {
    const { calls, told, outcome } = cancelling('local', status('pending'));
    expect(await outcome).toMatchObject({ left: { _tag: 'CancelNotApplied', phase: 'pending' } });
    expect([calls, told]).toEqual([['delete p'], []]);
  });

  it('M1: interrupts nothing on a local engine whose queue can not be read', async () => {
    const failed = serviceError('ServerError', { status: 500 });
    const { calls, outcome } = cancelling('local', { jobStatus: () => TE.left(failed) });
    expect(await outcome).toEqual({ _tag: 'Left', left: failed });
    expect(calls).toEqual(['delete p']);
  });

  it('F9: never interrupts in the cloud, and passes a failure on', async () => {
    const { calls, outcome } = cancelling('cloud', {
      cancel: () => TE.left(serviceError('ServerError', { status: 500 })),
    });
    expect(await outcome).toMatchObject({ _tag: 'Left', left: { _tag: 'ServerError' } });
    expect(calls).toEqual(['delete p']);
  });

  it('polls no job after a cancellation that the service did not take, or may not have taken', async () => {
    const failed = serviceError('ServerError', { status: 500 });
    const refused = cancelling('cloud', { cancel: () => TE.left(failed) });
    expect([await refused.outcome, refused.told]).toEqual([{ _tag: 'Left', left: failed }, []]);
    const unknown = cancelling('cloud', {
      cancel: () => TE.right({ deleted: [] }),
      jobStatus: () => TE.left(failed),
    });
    expect([await unknown.outcome, unknown.told]).toEqual([{ _tag: 'Left', left: failed }, []]);
  });
});
