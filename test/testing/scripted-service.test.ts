import { describe, expect, it } from 'vitest';
import { firstValueFrom, lastValueFrom } from 'rxjs';
import { createClient, isServiceError, outputFiles, toPromise } from '../../src/node.js';
import { imageFile } from '../../src/testing/job-frames.js';
import { phaseTimeline } from '../../src/testing/phase-timeline.js';
import { scriptedService } from '../../src/testing/service/scripted-service.js';
import type { ScriptedServiceOptions } from '../../src/testing/service/memory-service.js';

const workflow = {
  '3': { class_type: 'KSampler', inputs: {} },
  '9': { class_type: 'SaveImage', inputs: { images: ['3', 0] } },
};

/** Runs one job on a scripted service to its end. */
const life = async (options: ScriptedServiceOptions = {}) => {
  const service = scriptedService(options);
  await using client = createClient(service);
  const timeline = phaseTimeline(client.run(workflow), service.clock);
  await service.clock.runUntilIdle();
  return { service, timeline, last: timeline.states.at(-1)! };
};

describe('scriptedService', () => {
  it('plays a job of a cloud service in virtual time', async () => {
    const { service, timeline, last } = await life();
    expect(timeline.diagram).toBe('submitting 20ms pending 100ms in_progress 320ms completed |');
    expect(outputFiles(last.outputs).map(({ filename }) => filename)).toEqual(['9-00001_.png']);
    expect(last.outputsComplete).toBe(true);
    expect(service.jobs.map(({ phase }) => phase)).toEqual(['completed']);
    expect(service.requests.filter(({ route }) => route === 'submit')).toHaveLength(1);
  });

  it('plays a job of a local server in virtual time', async () => {
    const { timeline, last } = await life({ dialect: 'local' });
    expect(timeline.diagram).toBe('submitting 20ms pending 100ms in_progress 310ms completed |');
    expect(outputFiles(last.outputs)).toHaveLength(1);
  });

  it('N5 shows an integer beyond 2^53 as it was sent', async () => {
    const service = scriptedService();
    await using client = createClient(service);
    const seeded = { 1: { class_type: 'KSampler', inputs: { seed: 2n ** 64n - 1n } } };
    const running = lastValueFrom(client.run(seeded));
    await service.clock.runUntilIdle();
    await running;
    expect(service.requests.find(({ route }) => route === 'submit')?.json).toMatchObject({ prompt: seeded });
  });

  it('gives the same ids and times in every run', async () => {
    const faults = [{ kind: 'dropped socket', atMs: 150 }] as const;
    const [one, other] = [await life({ faults }), await life({ faults })];
    expect(other.timeline.states).toEqual(one.timeline.states);
    expect(other.service.requests).toEqual(one.service.requests);
  });

  it('sends what the steps of a script say, at their times', async () => {
    const service = scriptedService({
      jobs: [
        {
          waitsMs: 0,
          steps: [
            { atMs: 10, cached: ['4'] },
            { atMs: 20, node: '3' },
            { atMs: 30, node: '3', value: 1, max: 2 },
            { atMs: 40, node: '3', preview: Uint8Array.of(0xff, 0xd8, 0xff, 1) },
            { atMs: 50, node: '3', text: 'half' },
            { atMs: 60, node: '9', output: imageFile('a.png') },
            { atMs: 70, message: '{"type":"brand_new","data":{}}' },
          ],
        },
      ],
    });
    await using client = createClient(service);
    const job = await service.clock.until(toPromise(client.submit(workflow)));
    const kinds: string[] = [];
    const startedAt = service.clock.now();
    client.frames.subscribe((frame) => {
      const name = frame._tag === 'Event' || frame._tag === 'Unknown' ? String(frame.type) : frame._tag;
      kinds.push(`${service.clock.now() - startedAt} ${name}`);
    });
    await service.clock.until(toPromise(job.outputs));
    expect(kinds).toEqual([
      '0 execution_start',
      '10 execution_cached',
      '20 executing',
      '30 progress',
      '40 Preview',
      '50 Text',
      '60 executed',
      '70 brand_new',
      '170 execution_success',
      '170 status',
      '170 executing',
    ]);
  });

  it.each(['failed', 'cancelled'] as const)('plays a job that is %s', async (end) => {
    const { last } = await life({ jobs: [{ end, failure: { exceptionType: 'OOMError', nodeId: '3' } }] });
    expect(last.phase).toBe(end);
    expect(last.failure?.exceptionType).toBe(end === 'failed' ? 'OOMError' : undefined);
  });

  it('plays a job that every source has lost', async () => {
    expect((await life({ jobs: [{ end: 'lost' }] })).last.phase).toBe('untraceable');
  });

  it('plays a record that is late', async () => {
    const { service, last, timeline } = await life({ jobs: [{ recordLagMs: 5_000 }] });
    expect(last).toMatchObject({ phase: 'completed', outputsComplete: true });
    expect(service.jobs[0]!.endedAtMs! + 5_000).toBeLessThanOrEqual(service.clock.now());
    expect(timeline.phases).toEqual(['submitting', 'pending', 'in_progress', 'completed']);
  });

  it('gives each submission the next script, and the last one to all after it', async () => {
    const service = scriptedService({ jobs: [{ end: 'failed' }, { end: 'completed' }] });
    await using client = createClient(service);
    const phases = [];
    for (let n = 0; n < 3; n += 1) {
      const last = await service.clock.until(lastValueFrom(client.run(workflow)));
      phases.push(last.phase);
    }
    expect(phases).toEqual(['failed', 'completed', 'completed']);
  });

  it('lets jobs beyond its concurrency wait', async () => {
    const service = scriptedService({ concurrency: 2 });
    await using client = createClient(service);
    client.runAll([workflow, workflow, workflow], { concurrency: 3 }).subscribe();
    await service.clock.advance(200);
    expect(service.jobs.map(({ phase }) => phase)).toEqual(['in_progress', 'in_progress', 'pending']);
    await service.clock.runUntilIdle();
    expect(service.jobs.map(({ phase }) => phase)).toEqual(['completed', 'completed', 'completed']);
  });

  it.each(['cloud', 'local'] as const)(
    'cancels a waiting and a running job of a %s service',
    async (dialect) => {
      const service = scriptedService({ dialect });
      await using client = createClient(service);
      const [one, other] = await service.clock.until(
        Promise.all([toPromise(client.submit(workflow)), toPromise(client.submit(workflow))]),
      );
      await service.clock.advance(110);
      expect(service.jobs.map(({ phase }) => phase)).toEqual(['in_progress', 'pending']);
      await service.clock.until(Promise.all([toPromise(one.cancel()), toPromise(other.cancel())]));
      const ends = await service.clock.until(
        Promise.all([lastValueFrom(one.states), lastValueFrom(other.states)]),
      );
      expect(ends.map(({ phase }) => phase)).toEqual(['cancelled', 'cancelled']);
    },
  );

  it('leaves no timer of a job that was cancelled', async () => {
    const service = scriptedService({ dialect: 'local', jobs: [{ endsAtMs: 2 * 3_600_000 }] });
    await using client = createClient(service);
    const job = await service.clock.until(toPromise(client.submit(workflow)));
    await service.clock.advance(110);
    expect(service.jobs.map(({ phase }) => phase)).toEqual(['in_progress']);
    await service.clock.until(toPromise(job.cancel()));
    await service.clock.until(lastValueFrom(job.states));
    // It would reject where the script's timer is left after an hour.
    await service.clock.runUntilIdle();
  });

  it.each(['cloud', 'local'] as const)(
    'serves and keeps files in memory as a %s service',
    async (dialect) => {
      const picture = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1);
      const service = scriptedService({ dialect, files: { '9-00001_.png': picture } });
      await using client = createClient(service);
      const last = await service.clock.until(lastValueFrom(client.run(workflow)));
      const { files } = await service.clock.until(lastValueFrom(client.download(last, 'out')));
      expect(files.map(({ path }) => path)).toEqual(['out/9-00001_.png']);
      expect(service.savedFiles.get('out/9-00001_.png')).toEqual(picture);
      const uploaded = await service.clock.until(toPromise(client.rest.uploadImage('out/9-00001_.png')));
      expect(uploaded).toMatchObject({ name: '9-00001_.png', type: 'input' });
    },
  );
});

describe('a fault of the scripted service', () => {
  it('drops the socket, and the client comes back and finishes', async () => {
    const service = scriptedService({ faults: [{ kind: 'dropped socket', atMs: 150, code: 1012 }] });
    await using client = createClient(service);
    const connection: string[] = [];
    client.connection.subscribe(({ _tag }) => connection.push(_tag));
    const last = await service.clock.until(lastValueFrom(client.run(workflow)));
    expect(last).toMatchObject({ phase: 'completed', outputsComplete: true });
    expect(connection).toEqual(['idle', 'connecting', 'open', 'waiting', 'connecting', 'open']);
  });

  it.each([
    [{ kind: 'lost messages', forMs: 60_000 }],
    [{ kind: 'silent sockets', forMs: 60_000 }],
    [{ kind: 'offline', atMs: 120, forMs: 20_000 }],
    [{ kind: 'refused sockets', forMs: 60_000, status: 503 }],
    [{ kind: 'answer', route: 'status', status: 503, times: 3 }],
    [{ kind: 'late answer', route: 'submit', ms: 1_000 }],
    [{ kind: 'lost request', route: 'history', times: 2 }],
    [{ kind: 'no answer', route: 'history' }],
    [{ kind: 'unreachable', route: 'submit' }],
  ] as const)('of %o costs no job its true end', async (fault) => {
    const { service, last } = await life({ faults: [fault] });
    expect(last).toMatchObject({ phase: 'completed', outputsComplete: true });
    expect(service.jobs).toHaveLength(1);
  });

  it('loses the answer of a submission, which is not sent again', async () => {
    const { service, timeline } = await life({ faults: [{ kind: 'lost answer', route: 'submit' }] });
    expect(isServiceError(timeline.error) && timeline.error._tag).toBe('OutcomeUnknown');
    expect(service.jobs).toHaveLength(1);
    expect(service.requests.filter(({ route }) => route === 'submit')).toHaveLength(1);
  });

  it('loses the submission itself, which is not sent again either', async () => {
    const { service, timeline } = await life({ faults: [{ kind: 'lost request', route: 'submit' }] });
    expect(isServiceError(timeline.error) && timeline.error._tag).toBe('OutcomeUnknown');
    expect(service.jobs).toHaveLength(0);
  });

  it('strikes the nth request of its route, so many times, and counts from when it was given', async () => {
    const service = scriptedService({ faults: [{ kind: 'answer', route: 'queue', status: 400, nth: 2 }] });
    await using client = createClient(service);
    const ask = () => service.clock.until(client.rest.queue()());
    const tags = [(await ask())._tag, (await ask())._tag, (await ask())._tag];
    expect(tags).toEqual(['Right', 'Left', 'Right']);
    service.inject({ kind: 'answer', route: 'queue', status: 400, times: 2 });
    expect([(await ask())._tag, (await ask())._tag, (await ask())._tag]).toEqual(['Left', 'Left', 'Right']);
  });

  it('refuses a wrong key, on requests and on the socket', async () => {
    const service = scriptedService();
    await using client = createClient({ ...service, apiKey: 'another-key-entirely' });
    const seen = firstValueFrom(client.frames).catch((error: unknown) => error);
    expect(await service.clock.until(client.rest.user()())).toMatchObject({ left: { _tag: 'Unauthorized' } });
    expect(await service.clock.until(seen)).toMatchObject({ _tag: 'Unauthorized' });
  });
});
