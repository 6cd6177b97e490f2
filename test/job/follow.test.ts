import { describe, expect, it } from 'vitest';
import { acceptedIds } from '../../src/job/accepted-ids.js';
import { follow, trackedById } from '../../src/job/follow.js';
import { jobHarness, watch } from '../helpers/job-harness.js';

describe('trackedById', () => {
  const accepted = acceptedIds();
  accepted.add('own');

  it('knows of a job only what this client knows', () => {
    const tracked = trackedById({ accepted, dialect: 'cloud' }, 'own');
    expect(tracked).toMatchObject({ initial: { promptId: 'own', phase: 'pending' }, isQuiet: true });
    expect([tracked.sighted, trackedById({ accepted, dialect: 'cloud' }, 'other').sighted]).toEqual([
      true,
      false,
    ]);
  });

  it('binds a local job to a socket that no client has, and a job of the cloud to none', () => {
    const [local, cloud] = (['local', 'cloud'] as const).map(
      (dialect) => trackedById({ accepted, dialect }, 'own').boundTo,
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
