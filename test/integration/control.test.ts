import { firstValueFrom, lastValueFrom, skip, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { toPromise } from '../../src/core/interop/to-promise.js';
import { emulated, picture, reaches, refusal, slow, submit } from '../helpers/emulated.js';
import { phasesOf } from '../helpers/phases-of.js';

describe.each(['interface', '2026'] as const)('controlling jobs of the %s profile', (profile) => {
  it('cancels a running and a waiting job by id, and leaves the third alone', async () => {
    const { client, emulator } = await emulated({ profile, tier: 'standard', speed: 20 });
    const running = await submit(client, slow());
    const waiting = await submit(client, slow());
    const third = await submit(client, picture(1));
    await reaches(running, 'in_progress');
    await toPromise(waiting.cancel());
    // No message says that a waiting job was cancelled, so the client asks.
    expect(await lastValueFrom(waiting.states)).toMatchObject({ phase: 'cancelled' });
    await toPromise(client.cancel(running.promptId));
    expect(await lastValueFrom(running.states)).toMatchObject({ phase: 'cancelled' });
    expect(await lastValueFrom(third.states)).toMatchObject({ phase: 'completed' });
    expect(emulator.requests.filter(({ url }) => url === '/api/interrupt')).toEqual([]);
  });

  it('makes the outputs of a cancelled job a Left, without throwing', async () => {
    const { client } = await emulated({ profile, speed: 20 });
    const job = await submit(client, slow());
    await reaches(job, 'in_progress');
    await toPromise(job.cancel());
    expect(await refusal(job.outputs)).toMatchObject({ _tag: 'JobCancelled', promptId: job.promptId });
  });

  it('says that cancelling had no effect on nothing, and is content where the job has ended', async () => {
    const { client } = await emulated({ profile });
    const job = await submit(client, picture(1));
    await lastValueFrom(job.states);
    await toPromise(job.cancel());
    expect(await refusal(client.cancel('00000000-0000-4000-8000-000000000000'))).toMatchObject({
      _tag: 'NotFound',
    });
  });

  it('interrupts everything that runs, where exactly that is asked for', async () => {
    const { client } = await emulated({ profile, speed: 20 });
    const jobs = [await submit(client, slow()), await submit(client, slow())];
    await Promise.all(jobs.map((job) => reaches(job, 'in_progress')));
    await toPromise(client.rest.interrupt());
    const ends = await Promise.all(jobs.map((job) => lastValueFrom(job.states)));
    expect(ends.map(({ phase }) => phase)).toEqual(['cancelled', 'cancelled']);
  });

  it('cancels a job whose watcher leaves, only where that was wished', async () => {
    const { client } = await emulated({ profile, speed: 20 });
    const begun = (options?: { readonly onUnsubscribe: 'cancel' }) =>
      firstValueFrom(client.run(slow(), options).pipe(skip(1)));
    const [abandoned, left] = [await begun({ onUnsubscribe: 'cancel' }), await begun()];
    const end = await lastValueFrom(client.follow(abandoned.promptId).pipe(toArray()));
    expect(phasesOf(end).at(-1)).toBe('cancelled');
    const { running, pending } = await toPromise(client.rest.queue());
    expect([...running, ...pending].map(({ promptId }) => promptId)).toEqual([left.promptId]);
  });

  it('describes the account and the node classes', async () => {
    const { client } = await emulated({ profile });
    expect(await toPromise(client.rest.user())).toMatchObject({ status: 'active' });
    const info = await toPromise(client.rest.objectInfo());
    expect(info['KSampler']).toMatchObject({ output_node: false });
    expect(info['SaveImage']).toMatchObject({ output_node: true });
  });

  it('sends the partner key only where it is asked for', async () => {
    const { client, emulator, submissions } = await emulated({ profile });
    const partner = {
      1: { class_type: 'PartnerImageNode', inputs: { prompt: 'a lighthouse', seed: 1 } },
      2: { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'partner' } },
    };
    const ends = [];
    for (const partnerKey of [undefined, true, 'comfyui-partner-key'] as const) {
      const job = await submit(client, partner, partnerKey === undefined ? {} : { partnerKey });
      ends.push(await lastValueFrom(job.states));
    }
    expect(ends).toMatchObject([
      { phase: 'failed', failure: { exceptionType: 'Unauthorized', nodeType: 'PartnerImageNode' } },
      { phase: 'completed' },
      { phase: 'completed' },
    ]);
    const [without, own, other] = submissions();
    expect(JSON.stringify(without)).not.toContain(emulator.apiKey);
    expect(own).toMatchObject({ extra_data: { api_key_partner_org: emulator.apiKey } });
    expect(other).toMatchObject({ extra_data: { api_key_partner_org: 'comfyui-partner-key' } });
    expect(JSON.stringify(other)).not.toContain(emulator.apiKey);
  });
});
