import { dialects } from '../../src/client/dialects/dialects.js';
import type { Accepted } from '../../src/client/jobs/accept.js';
import { acceptedJob, startJob } from '../../src/client/jobs/start-job.js';
import { describe, expect, it } from 'vitest';
import * as E from 'fp-ts/lib/Either.js';
import type { Frame } from '../../src/core/protocol/frames/frame.js';
import { imageOf, jobHarness, messages, watch } from '../helpers/job-harness.js';
import type { JobState } from '../../src/core/state/job-state.js';
import { record } from '../helpers/record.js';
import type { Rest } from '../../src/core/http/rest.js';
import * as TE from 'fp-ts/lib/TaskEither.js';

const p = messages('p');
const outputs = { 9: { images: [imageOf('a.png')] } };
const rest: Partial<Rest> = {
  history: () => TE.right({ promptId: 'p', outputs, phase: 'completed', isFinal: true, record: {} }),
};
const early: Frame = { _tag: 'Text', nodeId: '3', text: 'early', promptId: 'p' };

const started = (calls: Partial<Rest> = rest) => {
  const harness = jobHarness(calls);
  const accepted: Accepted = {
    submission: { promptId: 'p', nodeErrors: {} },
    claim: () => [early],
    clientId: undefined,
  };
  const job = startJob(harness.context, { 9: { class_type: 'SaveImage', inputs: {} } }, accepted);
  const holder = job.states.subscribe({ error: () => undefined });
  harness.socket().open();
  return { ...harness, job, holder, clock: harness.platform.clock };
};

describe('startJob', () => {
  it('C18: replays the latest state to a late subscriber, also after the end', async () => {
    const { socket, clock, job } = started();
    socket().receive(p.start);
    expect(watch(job.states).phases()).toEqual(['in_progress']);
    socket().receive(p.success);
    await clock.advance(0);
    const late = watch(job.states);
    expect(late.phases()).toEqual(['completed']);
    expect(late.completed()).toBe(true);
  });

  it('emits a state that comes while the latest is replayed', () => {
    const { socket, job } = started();
    socket().receive(p.start);
    const steps: unknown[] = [];
    job.states.subscribe(({ nodes }) => {
      if (steps.push(nodes['9']?.value) === 1) socket().receive(p.progress('9', 1, 2));
    });
    expect(steps).toEqual([undefined, 1]);
  });

  it('follows the job to its end without any other subscriber', async () => {
    const { socket, clock, job } = started();
    watch(job.states).stop();
    socket().receive(p.success);
    await clock.advance(0);
    expect(watch(job.states).last()).toMatchObject({ phase: 'completed', outputs });
  });

  it('gives its frames from the very first', async () => {
    const { socket, clock, job } = started();
    socket().receive(p.start);
    const seen: Frame[] = [];
    let completed = false;
    job.frames.subscribe({ next: (frame) => seen.push(frame), complete: () => (completed = true) });
    socket().receive(p.success);
    await clock.advance(0);
    expect(seen[0]).toBe(early);
    expect(seen.slice(1).map((frame) => frame._tag === 'Event' && frame.type)).toEqual([
      'execution_start',
      'execution_success',
    ]);
    expect(completed).toBe(true);
  });

  it('I-15: gives the second subscriber the frames that the first one got, also after the end', async () => {
    const { socket, clock, job } = started();
    const first = record(job.frames);
    socket().receive(p.start);
    socket().receive(p.progress('9', 1, 2));
    const second = record(job.frames);
    socket().receive(p.success);
    await clock.advance(0);
    const third = record(job.frames);
    expect(first.values).toHaveLength(4);
    expect(second).toMatchObject({ values: first.values, end: 'complete' });
    expect(third).toMatchObject({ values: first.values, end: 'complete' });
  });

  it('I-14: keeps neither frames nor timers of a client that was closed', async () => {
    const { socket, clock, job, close, context } = started();
    socket().receive(p.success);
    await clock.advance(0);
    close();
    context.frames.clear();
    expect(record(job.frames)).toMatchObject({ values: [], end: 'complete' });
    expect(clock.pending()).toBe(0);
  });

  it('is an async iterable of its states, to the terminal one', async () => {
    const { socket, clock, job } = started();
    const seen: JobState[] = [];
    const reading = (async () => {
      for await (const state of job) seen.push(state);
    })();
    socket().receive(p.start);
    socket().receive(p.success);
    await clock.advance(0);
    await reading;
    expect(seen.at(-1)?.phase).toBe('completed');
  });

  it.each([
    ['completed', p.success, E.right(outputs)],
    [
      'failed',
      p.error,
      { left: { _tag: 'JobFailed', promptId: 'p', failure: { exceptionType: 'OOMError' } } },
    ],
    ['cancelled', p.interrupted, { left: { _tag: 'JobCancelled', promptId: 'p' } }],
  ] as const)('has outputs for who asks, or says why not, when it %s', async (phase, message, expected) => {
    const jobStatus: Rest['jobStatus'] = () => TE.right({ promptId: 'p', status: phase, phase });
    const { socket, clock, job } = started(phase === 'completed' ? rest : { jobStatus });
    const asked = job.outputs();
    socket().receive(p.start);
    socket().receive(message);
    await clock.advance(1_000);
    expect(await asked).toMatchObject(expected);
    expect(await job.outputs()).toMatchObject(expected);
  });

  it('F24: says with its outputs that the record did not become whole', async () => {
    const jobStatus: Rest['jobStatus'] = () =>
      TE.right({ promptId: 'p', status: 'success', phase: 'completed' });
    const { socket, clock, job } = started({ jobStatus });
    const asked = job.outputs();
    socket().receive(p.executed('9', 'a.png'));
    socket().receive(p.success);
    await clock.advance(121_000);
    expect(await asked).toMatchObject({ left: { _tag: 'OutputsIncomplete', promptId: 'p', outputs } });
  });

  it('I-13: gives Closed to every caller that waits for the end when the client ends, and completes the frames', async () => {
    const { close, job, clock, context } = started();
    const states = watch(job.states);
    const frames = watch(job.frames);
    const asked = job.outputs();
    close();
    expect(states.error()).toMatchObject({ _tag: 'Closed' });
    expect([frames.completed(), frames.error()]).toEqual([true, undefined]);
    expect(await asked).toMatchObject({ left: { _tag: 'Closed' } });
    context.frames.clear();
    expect(clock.pending()).toBe(0);
  });

  it('cancels by its own id', async () => {
    const asked: (readonly string[])[] = [];
    const { job } = started({
      ...rest,
      cancel: (ids) => {
        asked.push(ids);
        return TE.right({ deleted: ids });
      },
    });
    expect(await job.cancel()()).toMatchObject({ _tag: 'Right' });
    expect(asked).toEqual([['p']]);
  });
});

const load = { class_type: 'LoadImage', inputs: {} };
const save = { class_type: 'SaveImage', inputs: { images: ['1', 0] } };
const workflow = { 1: load, 5: save, 9: save };
const nodeErrors = { 5: { classType: 'SaveImage', dependentOutputs: ['5'], errors: [] } };
const accepted = { submission: { promptId: 'p', nodeErrors }, claim: () => [], clientId: 'socket' };

describe('acceptedJob', () => {
  it('is pending, known to the service, with what was dropped of its workflow', () => {
    expect(
      acceptedJob({ ...jobHarness().context, dialect: dialects.cloud }, workflow, accepted),
    ).toMatchObject({
      initial: { promptId: 'p', phase: 'pending', nodeCount: 2, nodeErrors },
      wasSeen: true,
      claim: accepted.claim,
    });
  });

  it('is bound to the socket that was open, in the local dialect alone', () => {
    expect(
      acceptedJob({ ...jobHarness().context, dialect: dialects.local }, workflow, accepted).boundTo,
    ).toBe('socket');
    expect(
      acceptedJob({ ...jobHarness().context, dialect: dialects.cloud }, workflow, accepted).boundTo,
    ).toBeUndefined();
  });
});
