import { describe, expect, it } from 'vitest';
import { virtualClock } from '../../../src/emulator.js';
import { call, endless, failing, listen, open, quick, submit } from '../support.js';
import { openLocal, post } from '../local/support.js';
import { over } from './support.js';

describe('the ledger', () => {
  it('tells every job as it truly is, with its mark and outputs', async () => {
    const emulator = await open({ speed: 20, tier: 'standard' });
    const failed = await submit(emulator, failing('OOMError'));
    await over(emulator, failed);
    const done = await submit(emulator, quick, { extra_data: { mark: 'mine' } });
    await over(emulator, done);
    const [running, waiting] = [await submit(emulator, endless), await submit(emulator, endless)];
    await (await listen(emulator)).until('progress');
    expect(emulator.ledger.jobs).toMatchObject([
      { promptId: failed, state: 'failed', outputs: {}, extraData: {} },
      {
        promptId: done,
        state: 'completed',
        outputs: { 1: { text: ['2 steps'] } },
        extraData: { mark: 'mine' },
      },
      { promptId: running, state: 'in_progress', outputs: {}, extraData: {} },
      { promptId: waiting, state: 'pending', outputs: {}, extraData: {} },
    ]);
    await call(emulator, 'POST', '/api/queue', { delete: [waiting] });
    expect(emulator.ledger.jobs[3]?.state).toBe('cancelled');
  });

  it('tells when a job was accepted and when it ended, by the clock of the emulator', async () => {
    const clock = virtualClock(1_000);
    const emulator = await open({ clock, speed: 1 });
    await submit(emulator, quick);
    expect(emulator.ledger.jobs).toMatchObject([{ createdAt: 1_000, endedAt: undefined }]);
    await clock.advance(60_000);
    const [job] = emulator.ledger.jobs;
    expect(job).toMatchObject({ state: 'completed', createdAt: 1_000 });
    expect(job?.endedAt).toBeGreaterThan(1_000);
    expect(job?.endedAt).toBeLessThan(61_000);
  });

  it('tells deleted jobs of a local server apart from interrupted ones', async () => {
    const emulator = await openLocal({ speed: 20 });
    for (const prompt_id of ['a', 'b']) await post(emulator, endless, undefined, { prompt_id });
    await call(emulator, 'POST', '/queue', { delete: ['b'] });
    while (emulator.ledger.jobs[0]?.state !== 'in_progress') await call(emulator, 'GET', '/queue');
    await call(emulator, 'POST', '/interrupt');
    await over(emulator, 'a');
    expect(emulator.ledger.jobs.map(({ state }) => state)).toEqual(['cancelled', 'deleted']);
  });

  it('keeps requests by origin, and can be written as JSON', async () => {
    const emulator = await open();
    await call(emulator, 'GET', '/api/user');
    await fetch(`${emulator.storageUrl}/signed/none`);
    const { requests } = JSON.parse(JSON.stringify(emulator.ledger)) as typeof emulator.ledger;
    expect([requests.api, requests.storage].map((list) => list.map(({ url }) => url))).toEqual([
      ['/api/user'],
      ['/signed/none'],
    ]);
  });
});
