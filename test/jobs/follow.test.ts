import { dialects } from '../../src/client/dialects/dialects.js';
import { acceptedIds } from '../../src/client/jobs/accepted-ids.js';
import { answers } from '../helpers/fake-rest.js';
import { describe, expect, it } from 'vitest';
import * as E from 'fp-ts/lib/Either.js';
import { existingJob, follow, trackedById } from '../../src/client/jobs/follow.js';
import type { Frame } from '../../src/core/protocol/frames/frame.js';
import { imageOf, jobHarness, messages, watch } from '../helpers/job-harness.js';
import { record } from '../helpers/record.js';
import type { Rest } from '../../src/core/http/rest.js';
import * as TE from 'fp-ts/lib/TaskEither.js';

describe('trackedById', () => {
  const accepted = acceptedIds();
  accepted.add('own');

  it('knows of a job only what this client knows', () => {
    const tracked = trackedById({ accepted, dialect: dialects.cloud }, 'own');
    expect(tracked).toMatchObject({
      initial: { promptId: 'own', phase: 'pending' },
      awaitingFirstReport: true,
    });
    expect([tracked.wasSeen, trackedById({ accepted, dialect: dialects.cloud }, 'other').wasSeen]).toEqual([
      true,
      false,
    ]);
  });

  it('plans a job whose workflow is given, and learns from its states', () => {
    const workflow = { 1: { class_type: 'KSampler', inputs: { steps: 4 } } };
    const plan = { nodes: [] };
    const onState = (): void => undefined;
    const durations = { plan: () => ({ plan, onState }), uploaded: () => undefined };
    const context = { accepted, dialect: dialects.cloud, durations };
    const tracked = trackedById(context, 'own', { workflow });
    expect([tracked.initial.plan, tracked.onState]).toEqual([plan, onState]);
    expect(trackedById(context, 'own').initial.plan).toBeUndefined();
  });

  it('binds a local job to a socket that no client has, and a job of the cloud to none', () => {
    const [local, cloud] = (['local', 'cloud'] as const).map(
      (dialect) => trackedById({ accepted, dialect: dialects[dialect] }, 'own').boundTo,
    );
    expect([local, cloud]).toEqual(['', undefined]);
  });
});

describe('follow', () => {
  it('names the job in the error of a signal', () => {
    const { context } = jobHarness();
    const abort = new AbortController();
    const job = watch(follow(context, 'p', { signal: abort.signal }));
    abort.abort();
    expect(job.error()).toMatchObject({ _tag: 'Aborted', promptId: 'p' });
    const late = watch(follow(context, 'p', { signal: abort.signal }));
    expect(late.error()).toMatchObject({ _tag: 'Aborted', promptId: 'p' });
  });
});

const p = messages('p');
const outputs = { 9: { images: [imageOf('a.png')] } };
const runs: Partial<Rest> = {
  jobStatus: () => TE.right({ promptId: 'p', phase: 'in_progress', status: 'executing' }),
};
const over: Partial<Rest> = {
  jobStatus: () => TE.right({ promptId: 'p', phase: 'completed', status: 'success' }),
  history: () => TE.right({ promptId: 'p', outputs, phase: 'completed', isFinal: true, record: {} }),
};

const found = (rest: Partial<Rest>, dialect?: 'local') => {
  const harness = jobHarness(rest, dialect);
  const job = existingJob(harness.context, 'p');
  return { ...harness, job, clock: harness.platform.clock };
};

describe('existingJob', () => {
  it('submits nothing, and replays no state before the service has reported one', async () => {
    const { job, socket, clock } = found(runs);
    expect(job.promptId).toBe('p');
    const early = watch(job.states);
    expect(early.states).toEqual([]);
    socket().open();
    await clock.advance(100);
    expect(early.phases()).toEqual(['in_progress']);
    expect(watch(job.states).phases()).toEqual(['in_progress']);
  });

  it('gives the outputs of a job that was over before', async () => {
    const { job, socket, clock } = found(over);
    const asked = job.outputs();
    socket().open();
    await clock.advance(10_000);
    expect(await asked).toEqual(E.right(outputs));
    expect(await job.outputs()).toEqual(E.right(outputs));
    expect(watch(job.states).completed()).toBe(true);
  });

  it('gives the frames of then on, and the same ones to a later subscriber', async () => {
    const { job, socket, clock } = found(runs);
    socket().open();
    socket().receive(p.executing('3'));
    const typesOf = (frames: readonly Frame[]) => frames.map((frame) => frame._tag === 'Event' && frame.type);
    const first = record(job.frames);
    socket().receive(p.progress('3', 1, 2));
    await clock.advance(0);
    expect(typesOf(first.values)).toEqual(['executing', 'progress']);
    expect(typesOf(record(job.frames).values)).toEqual(['executing', 'progress']);
  });

  it('follows the job to its end without any subscriber', async () => {
    const { job, socket, clock } = found({ ...over, jobStatus: runs.jobStatus! });
    socket().open();
    await clock.advance(0);
    socket().receive(p.success);
    await clock.advance(10_000);
    expect(watch(job.states).last()).toMatchObject({ phase: 'completed', outputs });
  });

  it('is not found, by states, frames and outputs alike, where the service goes on to know no such job', async () => {
    const { job, socket, clock } = found({});
    socket().open();
    await clock.advance(60_000);
    expect(record(job.states)).toMatchObject({ values: [], error: { _tag: 'NotFound', promptId: 'p' } });
    expect(record(job.frames)).toMatchObject({ values: [], error: { _tag: 'NotFound' } });
    expect(await job.outputs()).toMatchObject({ left: { _tag: 'NotFound' } });
  });

  it('learns of the end of a local job of another program within seconds, however long the job ran', async () => {
    let answers = runs;
    const { job, socket, clock } = found(
      { jobStatus: (...asked) => answers.jobStatus!(...asked), history: over.history! },
      'local',
    );
    const seen = watch(job.states);
    socket().open();
    await clock.advance(280_000);
    expect(seen.phases()).toEqual(['in_progress']);
    answers = over;
    await clock.advance(7_000);
    expect(seen.last()).toMatchObject({ phase: 'completed', outputs });
  });

  it('cancels by the id', async () => {
    const cancelled = answers({ deleted: ['p'], cleared: false });
    const { job } = found({ ...runs, cancel: cancelled.call });
    expect(await job.cancel()()).toEqual(E.right(undefined));
    expect(cancelled.count()).toBe(1);
  });

  it('holds up no drain, as it was not submitted here', async () => {
    const { context } = found(runs);
    await expect(context.work.drain()).resolves.toBeUndefined();
  });

  it('can be read by for await', async () => {
    const { job, socket, clock } = found(over);
    socket().open();
    const reading = (async () => {
      const phases: string[] = [];
      for await (const { phase } of job) phases.push(phase);
      return phases;
    })();
    await clock.advance(10_000);
    expect(await reading).toEqual(['completed']);
  });
});
