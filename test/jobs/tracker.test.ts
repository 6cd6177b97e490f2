import { answers } from '../helpers/fake-rest.js';
import { describe, expect, it } from 'vitest';
import type { HistoryRecord } from '../../src/core/endpoints/history.js';
import { imageOf, jobHarness, messages, watch } from '../helpers/job-harness.js';
import { initialJobState } from '../../src/core/state/initial-job-state.js';
import type { JobStatus } from '../../src/core/endpoints/job-status.js';
import type { Rest } from '../../src/core/http/rest.js';
import { serviceError } from '../../src/core/errors/service-error.js';
import * as TE from 'fp-ts/lib/TaskEither.js';

const p = messages('p');
const record: HistoryRecord = {
  promptId: 'p',
  outputs: { 9: { images: [imageOf('a.png')] } },
  phase: 'completed',
  isFinal: true,
  record: {},
};
const status = (phase: JobStatus['phase']): JobStatus => ({ promptId: 'p', status: phase, phase });

const tracked = (
  rest: Partial<Rest> = { history: () => TE.right(record) },
  wasSeen = true,
  boundTo?: string,
) => {
  const harness = jobHarness(rest);
  const job = watch(
    harness.context.tracker.track({
      initial: initialJobState({ promptId: 'p', phase: 'pending' }),
      wasSeen,
      boundTo,
    }),
  );
  return { ...harness, ...job, clock: harness.platform.clock };
};

describe('jobTracker', () => {
  it("folds the socket's frames and ends with history's outputs", async () => {
    const { socket, clock, phases, last, completed } = tracked();
    socket().open();
    for (const message of [p.start, p.executing('3'), p.progress('3', 1, 2), p.success])
      socket().receive(message);
    expect(completed()).toBe(false);
    await clock.advance(0);
    expect(phases()).toEqual(['pending', 'in_progress', 'completed']);
    expect(last()).toMatchObject({ outputs: record.outputs, outputsComplete: true, progress: 1 });
    expect(completed()).toBe(true);
  });

  it('emits one terminal state and leaves nothing behind but the lingering socket', async () => {
    const { socket, clock, states, completed } = tracked();
    socket().open();
    socket().receive(p.start);
    socket().receive(p.success);
    socket().receive(p.success);
    socket().receive(p.error);
    await clock.advance(0);
    expect(states.filter(({ phase }) => phase === 'completed' || phase === 'failed')).toHaveLength(1);
    expect(completed()).toBe(true);
    await clock.advance(5_000);
    expect(socket().closedBy()).toBe('client');
    expect(clock.pending()).toBe(0);
  });

  it.each([
    ['failed', p.error],
    ['cancelled', p.interrupted],
  ] as const)('gives %s as a value and completes', async (phase, message) => {
    const { socket, clock, last, completed, error } = tracked({ jobStatus: () => TE.right(status(phase)) });
    socket().open();
    socket().receive(p.start);
    socket().receive(message);
    await clock.advance(1_000);
    expect(last().phase).toBe(phase);
    expect(completed()).toBe(true);
    expect(error()).toBeUndefined();
    if (phase === 'failed') expect(last().failure).toMatchObject({ exceptionType: 'OOMError', nodeId: '3' });
  });

  it('F6: looks as soon as its cancellation was taken, and once more where it still goes on', async () => {
    const jobStatus = answers(status('pending'), status('cancelled'));
    const { context, socket, clock, last, completed } = tracked({ jobStatus: jobStatus.call });
    socket().open();
    context.tracker.cancelled('another');
    await clock.advance(0);
    expect(jobStatus.count()).toBe(0);
    context.tracker.cancelled('p');
    await clock.advance(0);
    expect(jobStatus.count()).toBe(1);
    await clock.advance(2_750);
    expect(last().phase).toBe('cancelled');
    expect(completed()).toBe(true);
  });

  it('C7: changes nothing by what happens to other jobs', async () => {
    const other = messages('other');
    const { socket, clock, last } = tracked();
    socket().open();
    socket().receive(p.start);
    for (const message of [
      other.start,
      other.executed('9', 'x.png'),
      other.error,
      other.success,
      other.interrupted,
    ]) {
      socket().receive(message);
    }
    await clock.advance(5_000);
    expect(last()).toMatchObject({ phase: 'in_progress', outputs: {} });
  });

  it('finishes by polling when no socket can be had', async () => {
    const jobStatus = answers(status('pending'), status('in_progress'), status('completed'));
    const { platform, clock, last, phases } = tracked({
      jobStatus: jobStatus.call,
      history: () => TE.right(record),
    });
    for (let waited = 0; waited < 20_000; waited += 500) {
      if (platform.sockets.at(-1)!.closedBy() === undefined)
        platform.sockets.at(-1)!.end({ errorCode: 'ECONNREFUSED' });
      await clock.advance(500);
    }
    expect(phases()).toEqual(['pending', 'in_progress', 'completed']);
    expect(last().outputs).toEqual(record.outputs);
  });

  it('finishes by polling when the key is refused for the socket only', async () => {
    const { socket, clock, last } = tracked({
      jobStatus: () => TE.right(status('completed')),
      history: () => TE.right(record),
    });
    socket().end({ status: 401 });
    await clock.advance(1_000);
    expect(last().phase).toBe('completed');
  });

  it('C3: looks as soon as the socket is back, for what it missed meanwhile', async () => {
    let phase: JobStatus['phase'] = 'in_progress';
    let looks = 0;
    const { platform, socket, clock, last } = tracked({
      jobStatus: () => {
        looks += 1;
        return TE.right(status(phase));
      },
      history: () => TE.right(record),
    });
    socket().open();
    socket().receive(p.start);
    socket().end();
    while (platform.sockets.length < 2) await clock.advance(50);
    const before = looks;
    phase = 'completed';
    socket().open();
    await clock.advance(0);
    expect(looks).toBe(before + 1);
    expect(last().phase).toBe('completed');
  });

  it('B2, C2: asks after about 30 s in which an open socket said nothing of the job', async () => {
    const jobStatus = answers(status('completed'));
    const { socket, clock, last } = tracked({ jobStatus: jobStatus.call, history: () => TE.right(record) });
    socket().open();
    socket().receive(p.start);
    await clock.advance(29_999);
    socket().receive(p.progress('3', 1, 2));
    await clock.advance(29_999);
    expect(jobStatus.count()).toBe(0);
    await clock.advance(1);
    expect(jobStatus.count()).toBe(1);
    expect(last().phase).toBe('completed');
  });

  it('C6: asks 2 s after no node runs any more while the end is missing', async () => {
    const jobStatus = answers(status('completed'));
    const { socket, clock, last } = tracked({ jobStatus: jobStatus.call, history: () => TE.right(record) });
    socket().open();
    socket().receive(p.start);
    socket().receive(p.executing(null));
    await clock.advance(1_999);
    expect(jobStatus.count()).toBe(0);
    expect(last().phase).toBe('in_progress');
    await clock.advance(1);
    expect(last().phase).toBe('completed');
  });

  it('looks at once for a job whose past is unknown', async () => {
    const jobStatus = answers(status('completed'));
    const { socket, clock, last } = tracked(
      { jobStatus: jobStatus.call, history: () => TE.right(record) },
      false,
    );
    socket().open();
    await clock.advance(0);
    expect(last().phase).toBe('completed');
  });

  it('polls for a job whose events go to another socket', async () => {
    const { socket, clock, last } = tracked(
      { jobStatus: () => TE.right(status('completed')), history: () => TE.right(record) },
      true,
      'another socket',
    );
    socket().open();
    await clock.advance(1_000);
    expect(last().phase).toBe('completed');
  });

  it('E15: goes on through failing requests', async () => {
    const jobStatus = answers(serviceError('ServerError', { status: 500 }), status('completed'));
    const { socket, clock, last, error } = tracked({
      jobStatus: jobStatus.call,
      history: () => TE.right(record),
    });
    socket().end({ status: 401 });
    await clock.advance(5_000);
    expect(error()).toBeUndefined();
    expect(last().phase).toBe('completed');
  });

  it('E24: follows a job on while REST refuses the key, and reports its end by the socket', async () => {
    const refused = () => TE.left(serviceError('Unauthorized', { status: 401 }));
    const { socket, clock, error, last, completed } = tracked({ jobStatus: refused, history: refused });
    socket().end();
    await clock.advance(60_000);
    expect(error()).toBeUndefined();
    socket().open();
    socket().receive(p.start);
    await clock.advance(0);
    expect(last()).toMatchObject({ phase: 'in_progress' });
    socket().receive(p.error);
    await clock.advance(300_000);
    expect(last()).toMatchObject({ phase: 'failed' });
    expect(completed()).toBe(true);
  });

  it('remembers a job that history answered for, to distinguish lost routes from a lost job', async () => {
    const { known, socket, clock } = tracked();
    socket().open();
    socket().receive(p.success);
    await clock.advance(0);
    expect(known.others('q')).toEqual(['p']);
  });

  it('errors with Closed when the client ends', () => {
    const { socket, close, error, clock } = tracked();
    socket().open();
    close();
    expect(error()).toMatchObject({ _tag: 'Closed', promptId: 'p' });
    expect(clock.pending()).toBe(0);
  });

  it('I-4: leaves nothing behind when its watcher leaves at any message', async () => {
    const script = [p.start, p.executing('3'), p.progress('3', 1, 2), p.executed('9', 'a.png'), p.success];
    for (let at = 0; at <= script.length; at += 1) {
      const { socket, clock, stop } = tracked();
      socket().open();
      script.slice(0, at).forEach((message) => socket().receive(message));
      stop();
      await clock.advance(5_000);
      expect(clock.pending()).toBe(0);
      expect(socket().closedBy()).toBe('client');
    }
  });
});
