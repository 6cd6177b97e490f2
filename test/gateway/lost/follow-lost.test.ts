import { alice, bob, life, playedGateway, playedService, type PlayedGateway, workflow } from '../support.js';
import { describe, expect, it, vi } from 'vitest';
import type { JobOwner } from '../../../src/server/gateway/model/gateway-jobs.js';
import type { JobState } from '../../../src/core/state/job-state.js';
import { markerField } from '../../../src/core/lost/match-candidates.js';
import type { RecentJob } from '../../../src/core/endpoints/recent-jobs.js';
import { serviceError } from '../../../src/core/errors/service-error.js';

/** A job that is listed so late is the one that is meant, or none is. */
const settledMs = 90_000;
/** Between two listings. */
const lookMs = 15_000;

const lostAnswer = serviceError('OutcomeUnknown', { candidates: [], startedAt: 1 });

/** A gateway whose next submissions get no answer. */
const lossy = async (service = playedService()): Promise<PlayedGateway> => {
  const gateway = await playedGateway({}, service);
  service.refusal = lostAnswer;
  return gateway;
};

const lose = async ({ jobs, service }: PlayedGateway, owner: JobOwner = alice) => {
  const answer = await jobs.submit(owner, { workflow });
  if (answer._tag !== 'accepted') throw new Error(answer._tag);
  return { id: answer.job.record.id, submissionId: service.submitted.at(-1)?.submissionId ?? '' };
};

const stateOf = async ({ jobs }: PlayedGateway, id: string, owner: JobOwner = alice): Promise<JobState> =>
  (await jobs.get(owner, id))!.state;

/** A job of the service that has the workflow, and the marker of a submission where it is one. */
const listed = (promptId: string, submissionId?: string): RecentJob => ({
  ...{ promptId, createdAt: Date.now(), workflow },
  ...(submissionId !== undefined && { extraData: { [markerField]: submissionId } }),
});

/** The service has the job, and it ends. */
const run = ({ service }: PlayedGateway, promptId: string): void => {
  service.arrive(promptId);
  for (const state of life(promptId)) service.jobs.at(-1)!.move(state);
};

describe('a submission without an answer, by a service that gives jobs their ids', () => {
  it('is followed as soon as a job shows its marker', async () => {
    const gateway = await lossy();
    const { id, submissionId } = await lose(gateway);
    expect(await stateOf(gateway, id)).toMatchObject({ phase: 'submitting' });
    gateway.service.listed = [listed('own', submissionId), listed('another')];
    run(gateway, 'own');
    await gateway.clock.advance(lookMs);
    expect(await stateOf(gateway, id)).toMatchObject({ phase: 'completed', promptId: 'own' });
    expect((await gateway.index.get(id))?.promptId).toBe('own');
    expect(gateway.service.submitted).toHaveLength(1);
  });

  it('is followed as the one job with its workflow, once no other would be listed later', async () => {
    const gateway = await lossy(playedService('keys'));
    const { id } = await lose(gateway);
    gateway.service.listed = [listed('own'), { ...listed('another'), workflow: {} }];
    run(gateway, 'own');
    await gateway.clock.advance(settledMs - 1);
    expect(await stateOf(gateway, id)).toMatchObject({ phase: 'submitting' });
    await gateway.clock.advance(lookMs);
    expect(await stateOf(gateway, id)).toMatchObject({ phase: 'completed', promptId: 'own' });
  });

  it('N2 gives a large workflow a second more for each 32 KiB before it takes another job for its own', async () => {
    const gateway = await lossy(playedService('keys'));
    const large = { 1: { class_type: 'Load', inputs: { image: 'x'.repeat(64 * 32 * 1024) } } };
    const answer = await gateway.clock.until(gateway.jobs.submit(alice, { workflow: large }));
    const { id } = answer._tag === 'accepted' ? answer.job.record : { id: '' };
    gateway.service.listed = [{ promptId: 'own', createdAt: Date.now(), workflow: large }];
    run(gateway, 'own');
    await gateway.clock.advance(settledMs + 63_000);
    expect(await stateOf(gateway, id)).toMatchObject({ phase: 'submitting' });
    // A store reads a large record in turns of its own.
    await vi.waitFor(async () => {
      await gateway.clock.advance(2 * lookMs);
      expect(await stateOf(gateway, id)).toMatchObject({ phase: 'completed', promptId: 'own' });
    });
  });

  it('takes no job that is older, has another marker, or is of another job of the gateway', async () => {
    const gateway = await playedGateway();
    await gateway.jobs.submit(bob, { workflow });
    gateway.service.refusal = lostAnswer;
    const { id } = await lose(gateway);
    gateway.service.listed = [
      listed('p1'),
      listed('marked', 'of another program'),
      { ...listed('older'), createdAt: -120_000 },
    ];
    await gateway.clock.advance(settledMs + lookMs);
    expect(await stateOf(gateway, id)).toMatchObject({
      phase: 'unknown',
      failure: { candidates: [], startedAt: 1 },
    });
  });

  it('takes none of several jobs with its workflow, and names them', async () => {
    const gateway = await lossy(playedService('keys'));
    const { id } = await lose(gateway);
    gateway.service.listed = [listed('one'), listed('two')];
    await gateway.clock.advance(settledMs + lookMs);
    expect(await stateOf(gateway, id)).toMatchObject({
      phase: 'unknown',
      failure: { candidates: ['one', 'two'] },
    });
  });

  it.each([
    ['is lost as well', lostAnswer],
    ['waits for its answer', undefined],
  ])('takes no job that may be of another submission, which %s', async (_, refusal) => {
    const gateway = await lossy(playedService('keys'));
    const { id } = await lose(gateway);
    gateway.service.refusal = refusal;
    gateway.service.gate = refusal === undefined ? new Promise(() => undefined) : Promise.resolve();
    void gateway.jobs.submit(bob, { workflow });
    gateway.service.listed = [listed('one')];
    await gateway.clock.advance(settledMs + lookMs);
    expect(await stateOf(gateway, id)).toMatchObject({ phase: 'unknown', failure: { candidates: ['one'] } });
  });

  it('takes a job that can’t be of another submission, since that was given up long before', async () => {
    const gateway = await lossy(playedService('keys'));
    const other = await lose(gateway, bob);
    await gateway.clock.advance(2 * settledMs + lookMs);
    expect(await stateOf(gateway, other.id, bob)).toMatchObject({ phase: 'unknown' });
    const { id } = await lose(gateway);
    gateway.service.listed = [listed('own')];
    run(gateway, 'own');
    await gateway.clock.advance(settledMs + lookMs);
    expect(await stateOf(gateway, id)).toMatchObject({ phase: 'completed', promptId: 'own' });
  });

  it('waits for a service that does not answer', async () => {
    const gateway = await lossy();
    const { id, submissionId } = await lose(gateway);
    gateway.service.listed = undefined;
    await gateway.clock.advance(10 * settledMs);
    expect(await stateOf(gateway, id)).toMatchObject({ phase: 'submitting' });
    gateway.service.listed = [listed('own', submissionId)];
    run(gateway, 'own');
    await gateway.clock.advance(lookMs);
    expect(await stateOf(gateway, id)).toMatchObject({ phase: 'completed' });
  });

  it('is cancelled once it is found, where that was asked for', async () => {
    const gateway = await lossy();
    const { id, submissionId } = await lose(gateway);
    expect(await gateway.jobs.cancel(alice, id)).toMatchObject({ _tag: 'taken', requested: true });
    expect(gateway.service.cancelled).toEqual([]);
    gateway.service.listed = [listed('own', submissionId)];
    gateway.service.arrive('own');
    await gateway.clock.advance(lookMs);
    expect(gateway.service.cancelled).toEqual(['own']);
  });

  it('is followed by the id that another process got for it meanwhile', async () => {
    const gateway = await lossy();
    const { id } = await lose(gateway);
    await gateway.index.update(id, { promptId: 'own' });
    gateway.service.listed = [listed('own')];
    run(gateway, 'own');
    await gateway.clock.advance(lookMs);
    expect(await stateOf(gateway, id)).toMatchObject({ phase: 'completed', promptId: 'own' });
  });

  it('shows its previews once it is found, is not ended without being asked, and is followed on by its id', async () => {
    const gateway = await lossy();
    const { id, submissionId } = await lose(gateway);
    gateway.service.listed = [listed('own', submissionId)];
    gateway.service.arrive('own');
    const [played] = gateway.service.jobs;
    played!.move(life('own')[1]!);
    await gateway.clock.advance(lookMs);
    played!.frame({ _tag: 'Preview', nodeId: '2', mediaType: 'image/png', image: new Uint8Array([7]) });
    expect((await gateway.jobs.preview(alice, id, '2'))?.bytes[0]).toBe(7);
    expect((await gateway.jobs.get(alice, id))?.record.promptId).toBe('own');
    await gateway.jobs.cancel(alice, id);
    expect(gateway.service.cancelled).toEqual(['own']);
    gateway.service.listed = [];
    played!.fail(serviceError('NotFound', {}));
    await gateway.clock.advance(lookMs);
    expect((await stateOf(gateway, id)).phase).toBe('cancelled');
    const other = await lossy();
    const lost = await lose(other);
    other.service.listed = [listed('own', lost.submissionId)];
    run(other, 'own');
    await other.clock.advance(lookMs);
    expect(other.service.cancelled).toEqual([]);
  });

  it('is untraceable where the service then knows it no more', async () => {
    const gateway = await lossy();
    const { id, submissionId } = await lose(gateway);
    gateway.service.listed = [listed('own', submissionId)];
    gateway.service.arrive('own');
    gateway.service.jobs[0]!.move(life('own')[1]!);
    await gateway.clock.advance(lookMs);
    gateway.service.jobs[0]!.fail(serviceError('NotFound', {}));
    await gateway.clock.advance(0);
    expect(await stateOf(gateway, id)).toMatchObject({
      phase: 'untraceable',
      promptId: 'own',
      startedAt: 10,
    });
  });

  it('is the one job with its workflow beside lost submissions of others', async () => {
    const gateway = await lossy(playedService('keys'));
    const { id } = await lose(gateway);
    await gateway.jobs.submit(bob, { workflow: { 1: { class_type: 'Other', inputs: {} } } });
    gateway.service.listed = [listed('own')];
    run(gateway, 'own');
    await gateway.clock.advance(settledMs + lookMs);
    expect(await stateOf(gateway, id)).toMatchObject({ phase: 'completed', promptId: 'own' });
  });

  it.each([true, false])(
    'is not told from one with an asset in place of a text (its own: %s)',
    async (isOwn) => {
      const gateway = await lossy(playedService('keys'));
      const asset = { __type: 'core/ASSET', info: { id: 'a' } };
      const of = (input: unknown) => ({ 1: { class_type: 'Load', inputs: { input } } });
      const [own, other] = isOwn ? [of(asset), of('text')] : [of('text'), of(asset)];
      const answer = await gateway.jobs.submit(alice, { workflow: own });
      await gateway.jobs.submit(bob, { workflow: other });
      gateway.service.listed = [{ ...listed('one'), workflow: of('text') }];
      await gateway.clock.advance(settledMs + lookMs);
      const id = answer._tag === 'accepted' ? answer.job.record.id : '';
      expect(await stateOf(gateway, id)).toMatchObject({
        phase: 'unknown',
        failure: { candidates: ['one'] },
      });
    },
  );

  it('is looked for on after a restart, together with all others', async () => {
    const gateway = await lossy();
    const { id, submissionId } = await lose(gateway);
    const other = await lose(gateway, bob);
    await gateway.jobs.close();
    let asked = 0;
    const service = playedService();
    const { jobsSince } = service;
    const again = await playedGateway(
      { index: gateway.index, log: gateway.log },
      Object.assign(service, {
        jobsSince: (search: Parameters<NonNullable<typeof jobsSince>>[0]) => {
          asked += 1;
          return jobsSince!(search);
        },
      }),
    );
    service.listed = [listed('own', submissionId), listed('others', other.submissionId)];
    run(again, 'own');
    run(again, 'others');
    await again.clock.advance(lookMs);
    expect(await stateOf(again, id)).toMatchObject({ phase: 'completed', promptId: 'own' });
    expect(await stateOf(again, other.id, bob)).toMatchObject({ phase: 'completed', promptId: 'others' });
    expect(asked).toBeLessThanOrEqual(2);
  });
});
