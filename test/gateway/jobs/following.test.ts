import { describe, expect, it } from 'vitest';
import { alice, life, playedGateway, submitted } from '../support.js';
import type { Preview } from '../../../src/protocol/frames/frame.js';

const pictureOf = (nodeId: string, byte: number): Preview => ({
  _tag: 'Preview',
  nodeId,
  mediaType: 'image/png',
  image: new Uint8Array([byte]),
});

describe('the previews of a followed job', () => {
  it('are the first of each node at once, then the newest of each tenth of a second', async () => {
    const { jobs, service, clock } = await playedGateway();
    const job = await submitted({ jobs });
    const played = service.jobs[0]!;
    played.move(life(played.promptId)[1]!);
    const shown = async () => {
      const of = (nodeId: string) => jobs.preview(alice, job.record.id, nodeId);
      return [(await of('1'))?.bytes[0], (await of('2'))?.bytes[0]];
    };
    played.frame(pictureOf('1', 1));
    for (const byte of [2, 3, 4]) played.frame(pictureOf('1', byte));
    played.frame(pictureOf('2', 9));
    expect(await shown()).toEqual([1, 9]);
    await clock.advance(100);
    expect(await shown()).toEqual([4, 9]);
    played.frame(pictureOf('1', 5));
    expect(await shown()).toEqual([4, 9]);
    await clock.advance(100);
    expect(await shown()).toEqual([5, 9]);
  });
});
