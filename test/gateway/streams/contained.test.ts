import { alice, life, openReader, playedGateway, previewOf, submitted } from '../support.js';
import { describe, expect, it } from 'vitest';
import { v2Documents } from '../../../src/server/gateway/v2/v2-events.js';

describe('what the stream of one reader throws', () => {
  it('T2 ends this stream alone, and is handed to onError', async () => {
    const errors: unknown[] = [];
    const v2 = {
      ...v2Documents,
      v2Preview: () => {
        throw new Error('No form for this preview.');
      },
    };
    const gateway = await playedGateway({ v2, onError: (error) => errors.push(error) });
    const job = await submitted(gateway);
    const [played] = gateway.service.jobs;
    const scope = { owner: alice.name, jobId: job.record.id };
    const [broken, whole] = [
      await openReader(gateway, scope, {}, { view: 'v2' }),
      await openReader(gateway, scope),
    ];
    for (const reader of [broken, whole]) await reader.next();
    const next = [broken.next(), whole.next()];
    await gateway.clock.advance(0);
    // The readers wait, so this is all done in the turn of the client's frame.
    played!.frame(previewOf(played!, '2', 3));
    await expect(next[0]).rejects.toThrow('No form for this preview.');
    expect(await next[1]).toMatchObject({ event: 'preview', data: { nodeId: '2' } });
    expect(errors.map(String)).toEqual(['Error: No form for this preview.']);
    for (const state of life(played!.promptId)) played!.move(state);
    await gateway.clock.advance(0);
    expect((await gateway.jobs.get(alice, job.record.id))?.state.phase).toBe('completed');
    expect((await whole.rest()).at(-1)).toMatchObject({ event: 'status' });
  });

  it('T1 is nothing for a node whose id is half of a surrogate pair', async () => {
    const gateway = await playedGateway();
    const job = await submitted(gateway);
    const [played] = gateway.service.jobs;
    const reader = await openReader(gateway, { owner: alice.name, jobId: job.record.id });
    await reader.next();
    played!.frame(previewOf(played!, '2\ud83d', 3));
    expect(await reader.next()).toMatchObject({
      event: 'preview',
      data: { url: `http://gateway.test/jobs/${job.record.id}/previews/2%EF%BF%BD?v=1` },
    });
  });
});
