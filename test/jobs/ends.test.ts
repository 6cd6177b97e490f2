import { answers } from '../helpers/fake-rest.js';
import { describe, expect, it } from 'vitest';
import type { HistoryRecord, JobStatus, Rest } from '../../src/core/http/rest.js';
import { imageOf, jobHarness, messages, watch } from '../helpers/job-harness.js';
import { initialJobState } from '../../src/core/state/initial-job-state.js';
import { serviceError } from '../../src/core/errors/service-error.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { unknownFailure } from '../../src/core/state/failure.js';

const p = messages('p');
const record = (more: Partial<HistoryRecord> = {}): HistoryRecord => ({
  promptId: 'p',
  outputs: { 9: { images: [imageOf('a.png')] } },
  phase: 'completed',
  isFinal: true,
  record: { status: { completed: true } },
  ...more,
});
const missing = serviceError('NotFound', {});
const bareFailed: JobStatus = {
  promptId: 'p',
  status: 'failed',
  phase: 'failed',
  failure: unknownFailure('The service ended the job as "failed".'),
};

/** A job that was accepted while the socket was open. */
const tracked = (rest: Partial<Rest>, dialect: 'cloud' | 'local' = 'cloud') => {
  const harness = jobHarness(rest, dialect);
  const job = watch(
    harness.context.tracker.track({ initial: initialJobState({ promptId: 'p' }), wasSeen: true }),
  );
  harness.socket().open();
  const receive = (...sent: readonly object[]): void => {
    for (const message of sent) harness.socket().receive(message);
  };
  return { ...harness, ...job, clock: harness.platform.clock, receive };
};

describe('the end of a job', () => {
  it('F15: loses no file that an event reported, and claims no completeness, where the record has fewer', async () => {
    const { receive, clock, last, completed } = tracked({ history: () => TE.right(record()) });
    receive(
      p.start,
      p.executed('9', 'a.png'),
      p.executed('9', 'b.png'),
      p.executed('12', 'c.png'),
      p.success,
    );
    await clock.advance(60_000);
    expect(completed()).toBe(false);
    await clock.advance(60_000);
    expect(last()).toMatchObject({
      phase: 'completed',
      outputs: { 9: { images: [imageOf('a.png'), imageOf('b.png')] }, 12: { images: [imageOf('c.png')] } },
      outputsComplete: false,
    });
  });

  it('F16: is emitted once, and only when a record that trails by a minute is there', async () => {
    const late = answers<HistoryRecord>(...Array.from({ length: 9 }, () => missing), record());
    const { receive, clock, last, states } = tracked({ history: late.call });
    receive(p.start, p.success);
    await clock.advance(60_000);
    expect(last().phase).toBe('in_progress');
    await clock.advance(10_000);
    expect(last()).toMatchObject({ phase: 'completed', outputs: record().outputs, outputsComplete: true });
    expect(states.filter(({ phase }) => phase === 'completed')).toHaveLength(1);
  });

  it('F16: brings what the record lists while the rest of it trails', async () => {
    const some = record({ phase: undefined, isFinal: false, record: { status: null } });
    const { receive, clock, last } = tracked({ history: () => TE.right(some) });
    receive(p.start, p.success);
    await clock.advance(0);
    expect(last()).toMatchObject({ phase: 'in_progress', outputs: some.outputs, outputsComplete: false });
  });

  it('F18: of a job without files comes at once where the socket reported all of it', async () => {
    const { receive, clock, last } = tracked({ history: () => TE.right(record({ outputs: {} })) });
    receive(p.start, p.executing('3'), p.success);
    await clock.advance(0);
    expect(last()).toMatchObject({ phase: 'completed', outputsComplete: true });
  });

  it('F18: of a job of which nothing ran takes 8 s, as its files may stand in the record alone', async () => {
    const { receive, clock, last } = tracked({ history: () => TE.right(record({ outputs: {} })) });
    receive(p.start, { type: 'execution_cached', data: { nodes: ['3', '9'], prompt_id: 'p' } }, p.success);
    await clock.advance(7_000);
    expect(last().phase).toBe('in_progress');
    await clock.advance(2_000);
    expect(last()).toMatchObject({ phase: 'completed', outputsComplete: true });
  });

  it('F18: of a job of which nothing ran comes at once where its nodes reported what they made before', async () => {
    const outputs = { 9: { text: ['hello'] } };
    const { receive, clock, last } = tracked({ history: () => TE.right(record({ outputs })) });
    const executed = { type: 'executed', data: { node: '9', output: { text: ['hello'] }, prompt_id: 'p' } };
    receive(
      p.start,
      { type: 'execution_cached', data: { nodes: ['9'], prompt_id: 'p' } },
      executed,
      p.success,
    );
    await clock.advance(1_000);
    expect(last()).toMatchObject({ phase: 'completed', outputs, outputsComplete: true });
  });

  it('F18: of a job without files takes 8 s where the socket was away meanwhile', async () => {
    const { receive, clock, last, socket } = tracked({ history: () => TE.right(record({ outputs: {} })) });
    receive(p.start);
    socket().end();
    await clock.advance(2_000);
    socket().open();
    receive(p.success);
    await clock.advance(5_000);
    expect(last().phase).toBe('in_progress');
    await clock.advance(4_000);
    expect(last()).toMatchObject({ phase: 'completed', outputsComplete: true });
  });

  it('F19: of an interrupted job is cancelled where its record says no more than error', async () => {
    const error = record({
      phase: 'failed',
      failure: unknownFailure(),
      isFinal: false,
      outputs: {},
      record: { status: { status_str: 'error', messages: [] } },
    });
    const { receive, clock, last } = tracked({ history: () => TE.right(error) });
    receive(p.start, p.interrupted);
    await clock.advance(1_000);
    expect(last()).toMatchObject({ phase: 'cancelled' });
  });

  it('F20: has the reason that history reports where the status only says failed', async () => {
    const failure = { ...unknownFailure('boom'), exceptionType: 'ValueError', nodeId: '3' };
    const late = answers<HistoryRecord>(
      missing,
      missing,
      missing,
      missing,
      record({ phase: 'failed', failure }),
    );
    const { clock, last, socket } = tracked({ jobStatus: () => TE.right(bareFailed), history: late.call });
    socket().end();
    await clock.advance(20_000);
    expect(last()).toMatchObject({ phase: 'failed', failure, nodes: { 3: { phase: 'failed' } } });
  });

  it('F20: has the reason that the socket reports after the status said failed', async () => {
    const { clock, last, receive, socket } = tracked({
      jobStatus: () => TE.right(bareFailed),
      history: () => TE.left(missing),
    });
    receive(p.start);
    socket().end();
    await clock.advance(1_500);
    socket().open();
    receive(p.error);
    await clock.advance(20_000);
    expect(last()).toMatchObject({ phase: 'failed', failure: { exceptionType: 'OOMError', nodeId: '3' } });
  });

  it('F21: costs a local server without a jobs API one request for it, however many jobs fail', async () => {
    let asked = 0;
    const { context, clock, receive } = tracked(
      {
        jobStatus: (promptId) => TE.right({ ...bareFailed, promptId }),
        history: (promptId) => TE.right(record({ promptId, phase: 'failed', failure: unknownFailure() })),
        jobDetail: () => {
          asked += 1;
          return TE.left(missing);
        },
      },
      'local',
    );
    receive(p.start);
    const others = ['q', 'r', 's'].map((promptId) =>
      watch(context.tracker.track({ initial: initialJobState({ promptId }), wasSeen: false })),
    );
    await clock.advance(30_000);
    expect(others.map(({ last }) => last().phase)).toEqual(['failed', 'failed', 'failed']);
    expect(asked).toBe(1);
  });
});

describe('the end of a job of a local server', () => {
  it('M7: waits for no mark of its record where the socket is cut that would tell it', async () => {
    const { receive, clock, last, socket } = tracked({ history: () => TE.right(record()) }, 'local');
    receive(p.start, p.executed('9', 'a.png'), p.success);
    await clock.advance(0);
    expect(last().phase).toBe('in_progress');
    socket().end();
    await clock.advance(0);
    expect(last().phase).toBe('completed');
  });
});

describe('the ends of many jobs', () => {
  it('F22: 300 at once make no more requests than the budget gives, and each is over as early as it can be', async () => {
    const times: number[] = [];
    const noted =
      <A>(answer: A) =>
      () => {
        times.push(clock.now());
        return TE.right(answer)();
      };
    const { context, socket, platform } = jobHarness({
      history: (promptId) => noted(record({ promptId })),
      jobDetail: (promptId) =>
        noted({ promptId, status: 'completed', phase: 'completed', outputs: {}, outputsCount: 1 }),
    });
    const { clock } = platform;
    const ids = Array.from({ length: 300 }, (_, index) => `job ${index}`);
    const ended: number[] = [];
    for (const promptId of ids) {
      context.tracker
        .track({ initial: initialJobState({ promptId }), wasSeen: true })
        .subscribe({ complete: () => ended.push(clock.now()) });
    }
    socket().open();
    const from = clock.now();
    for (const id of ids) socket().receive(messages(id).success);
    await clock.advance(130_000);
    expect(ended).toHaveLength(300);
    for (const [index, at] of times.entries())
      expect(index + 1).toBeLessThanOrEqual(10 + ((at - from) * 5) / 1000);
    // The first ones do not wait for the records of the last ones.
    expect((ended[9] ?? Infinity) - from).toBeLessThanOrEqual(3_000);
    expect((ended[149] ?? Infinity) - from).toBeLessThanOrEqual(61_000);
  });

  it('F22: one that ends is confirmed at once, also while a thousand others wait to be looked at', async () => {
    const { context, socket, platform } = jobHarness({
      history: (promptId) => TE.right(record({ promptId })),
      jobStatus: (promptId) => TE.right({ promptId, status: 'executing', phase: 'in_progress' }),
    });
    const { clock } = platform;
    const follow = (promptId: string) =>
      watch(context.tracker.track({ initial: initialJobState({ promptId }), wasSeen: true }));
    const jobs = Array.from({ length: 1_000 }, (_, index) => follow(`job ${index}`));
    socket().open();
    socket().end();
    await clock.advance(5_000);
    socket().open();
    socket().receive(messages('job 999').success);
    await clock.advance(1_000);
    expect(jobs[999]?.last().phase).toBe('completed');
  });
});
