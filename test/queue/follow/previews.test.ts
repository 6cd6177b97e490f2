import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { playedClient } from '../redis/played-client.js';
import type { Preview } from '../../../src/core/protocol/frames/frame.js';
import { queuePreviews } from '../../../src/server/queue/follow/previews.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});
const soon = () => vi.advanceTimersByTimeAsync(0);

const pictureOf = (bytes: Uint8Array): Preview => ({
  ...{ _tag: 'Preview', promptId: 'p', nodeId: '2', mediaType: 'image/png', image: bytes },
});
const written = '{"_tag":"Preview","promptId":"p","nodeId":"2","mediaType":"image/png"}\n';

describe('the pictures of a job', () => {
  it('are handed to its channel, as a line that tells of them and their bytes', async () => {
    const { client, calls } = playedClient();
    await queuePreviews(client, 'q').publish('a', pictureOf(Buffer.from('x\ny')));
    expect(calls).toEqual([`PUBLISH {promptwire:q}:preview:a ${written}x\ny`]);
  });

  it('reach nobody where they are larger than the bound, which is told with the first one of each job', async () => {
    const { client, calls } = playedClient();
    const told: string[] = [];
    const own = queuePreviews(client, 'q', {
      maxPreviewBytes: 2,
      onTooLarge: (message) => told.push(message),
    });
    for (const [id, bytes] of [
      ['a', 3],
      ['a', 4],
      ['b', 2],
      ['b', 5],
      ['a', 6],
    ] as const)
      await own.publish(id, pictureOf(new Uint8Array(bytes)));
    expect(calls).toHaveLength(1);
    expect(told.map((message) => message.slice(0, 40))).toEqual([
      'A preview of the job a has 3 bytes and r',
      'A preview of the job b has 5 bytes and r',
      'A preview of the job a has 6 bytes and r',
    ]);
    expect(told[0]).toContain('maxPreviewBytes is 2.');
    await queuePreviews(client, 'q', { maxPreviewBytes: 2 }).publish('a', pictureOf(new Uint8Array(3)));
    const large = { byteLength: 8 * 2 ** 20 + 1 } as Uint8Array;
    await queuePreviews(client, 'q', { onTooLarge: (message) => told.push(message) }).publish(
      'a',
      pictureOf(large),
    );
    expect([calls.length, told.at(-1)]).toEqual([1, expect.stringContaining('maxPreviewBytes is 8388608.')]);
  });

  it('come to each of its followers, over one connection, as long as there are any', async () => {
    const { client, duplicates } = playedClient();
    const previews = queuePreviews(client, 'q');
    const seen: string[] = [];
    const follow = (id: string, name: string) =>
      previews
        .of(id)
        .subscribe(({ image, nodeId }) => seen.push(`${name} ${nodeId} ${Buffer.from(image).toString()}`));
    const followers = [follow('a', 'one'), follow('a', 'two'), follow('b', 'other')];
    const [own] = duplicates;
    await soon();
    expect(own?.calls).toEqual([
      'connect',
      'subscribe {promptwire:q}:preview:a',
      'subscribe {promptwire:q}:preview:b',
    ]);
    own?.message('{promptwire:q}:preview:a', `${written}x\ny`);
    own?.message('{promptwire:q}:preview:b', `${written}z`);
    expect(seen.splice(0)).toEqual(['one 2 x\ny', 'two 2 x\ny', 'other 2 z']);
    followers[0]?.unsubscribe();
    own?.message('{promptwire:q}:preview:a', `${written}v`);
    expect(seen.splice(0)).toEqual(['two 2 v']);
    followers[1]?.unsubscribe();
    await soon();
    expect(own?.calls.slice(3)).toEqual(['unsubscribe {promptwire:q}:preview:a']);
    // What listens anew once the server is back is what has followers by then.
    own?.say('ready');
    await soon();
    expect(own?.calls.slice(4)).toEqual(['subscribe {promptwire:q}:preview:b']);
    followers[2]?.unsubscribe();
    expect([own?.calls.includes('destroy'), duplicates.length]).toEqual([true, 1]);
    const late = follow('a', 'late');
    duplicates[1]?.say('ready');
    await soon();
    duplicates[1]?.message('{promptwire:q}:preview:a', `${written}w`);
    expect(seen).toEqual(['late 2 w']);
    late.unsubscribe();
  });
});
