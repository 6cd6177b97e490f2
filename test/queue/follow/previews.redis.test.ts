import { describeRedis } from '../describe-redis.js';
import { expect, it } from 'vitest';
import type { Preview } from '../../../src/core/protocol/frames/frame.js';
import { queuePreviews } from '../../../src/server/queue/follow/previews.js';

const pictureOf = (bytes: Uint8Array, nodeId = '2'): Preview => ({
  ...{ _tag: 'Preview', promptId: 'p', nodeId, mediaType: 'image/png', image: bytes },
});

describeRedis((server) => {
  let names = 0;
  const setUp = () => {
    const name = `previews-${(names += 1)}`;
    const redis = server().connect();
    // Another process has a connection of its own.
    const publisher = queuePreviews(server().connect(), name);
    const subscribers = async (id: string) =>
      (await redis.pubsub('NUMSUB', `{promptwire:${name}}:preview:${id}`))[1];
    return { name, redis, follower: queuePreviews(redis, name), publisher, subscribers };
  };

  it('come whole to each follower of the job, in any process, and to no other', async () => {
    const { name, follower, publisher, subscribers } = setUp();
    const seen: Record<string, Preview[]> = { one: [], two: [], other: [], elsewhere: [] };
    const elsewhere = queuePreviews(server().connect(), name);
    const all = [
      follower.of('a').subscribe((preview) => seen['one']?.push(preview)),
      follower.of('a').subscribe((preview) => seen['two']?.push(preview)),
      follower.of('b').subscribe((preview) => seen['other']?.push(preview)),
      elsewhere.of('a').subscribe((preview) => seen['elsewhere']?.push(preview)),
    ];
    await expect.poll(() => subscribers('a')).toBe(2);
    await expect.poll(() => subscribers('b')).toBe(1);
    // The bytes are whatever they are, also line ends.
    const picture = pictureOf(new Uint8Array([137, 10, 0, 255, 10]));
    await publisher.publish('a', picture);
    await publisher.publish('b', pictureOf(new Uint8Array(0), '3'));
    await expect
      .poll(() => [seen['one'], seen['two'], seen['elsewhere']])
      .toEqual([[picture], [picture], [picture]]);
    await expect.poll(() => seen['other']).toEqual([pictureOf(new Uint8Array(0), '3')]);
    for (const one of all) one.unsubscribe();
  });

  it('T9 that no worker has sent are left out, and the others come', async () => {
    const { name, redis, follower, publisher, subscribers } = setUp();
    const seen: unknown[] = [];
    const following = follower.of('a').subscribe({
      next: (preview) => seen.push(preview),
      error: (error: unknown) => seen.push(error),
    });
    await expect.poll(() => subscribers('a')).toBe(1);
    for (const message of [
      ...['', 'x', '{"cut\n', 'null\n', '[]\n', '{}\n', '{"mediaType":7}\n', '{"mediaType":"a\\nb"}\n'],
      ...['{"mediaType":"image/png","nodeId":7}\n', `${'['.repeat(100_000)}${']'.repeat(100_000)}\n`],
    ])
      await redis.publish(`{promptwire:${name}}:preview:a`, message);
    const picture = pictureOf(new Uint8Array([1]));
    await publisher.publish('a', picture);
    await expect.poll(() => seen).toEqual([picture]);
    following.unsubscribe();
  });

  it('N6 of some megabytes come as well, and the first one of a job above the bound is told with bound and option', async () => {
    const { name, follower, subscribers } = setUp();
    const told: string[] = [];
    const bounded = queuePreviews(server().connect(), name, {
      ...{ maxPreviewBytes: 3_000_000, onTooLarge: (message) => told.push(message) },
    });
    const seen: number[] = [];
    const following = ['a', 'b'].map((id) =>
      follower.of(id).subscribe(({ image }) => seen.push(image.length)),
    );
    await expect.poll(() => subscribers('b')).toBe(1);
    await expect.poll(() => subscribers('a')).toBe(1);
    const publish = (id: string, bytes: number) => bounded.publish(id, pictureOf(new Uint8Array(bytes)));
    for (const bytes of [3_000_001, 3_000_000, 3_000_002]) await publish('a', bytes);
    await publish('b', 3_000_003);
    await publish('b', 1);
    await expect.poll(() => seen).toEqual([3_000_000, 1]);
    expect(told).toEqual([
      'A preview of the job a has 3000001 bytes and reaches no follower: the bound of maxPreviewBytes is 3000000.',
      'A preview of the job b has 3000003 bytes and reaches no follower: the bound of maxPreviewBytes is 3000000.',
    ]);
    for (const one of following) one.unsubscribe();
  });

  it('end with the last follower of a job, and the connection with the last of all', async () => {
    const { redis, follower, publisher, subscribers } = setUp();
    const clients = async () =>
      String(await redis.client('LIST'))
        .trim()
        .split('\n').length;
    const before = await clients();
    const seen: number[] = [];
    const [one, two, other] = ['a', 'a', 'b'].map((id) =>
      follower.of(id).subscribe(({ image }) => seen.push(image[0] ?? 0)),
    );
    await expect.poll(() => subscribers('a')).toBe(1);
    expect(await clients()).toBe(before + 1);
    one?.unsubscribe();
    await publisher.publish('a', pictureOf(new Uint8Array([1])));
    await expect.poll(() => seen).toEqual([1]);
    two?.unsubscribe();
    await expect.poll(() => subscribers('a')).toBe(0);
    await publisher.publish('a', pictureOf(new Uint8Array([2])));
    await publisher.publish('b', pictureOf(new Uint8Array([3])));
    await expect.poll(() => seen).toEqual([1, 3]);
    other?.unsubscribe();
    await expect.poll(clients).toBe(before);
    // A follower that comes then opens it anew.
    const late = follower.of('a').subscribe(({ image }) => seen.push(image[0] ?? 0));
    await expect.poll(() => subscribers('a')).toBe(1);
    await publisher.publish('a', pictureOf(new Uint8Array([4])));
    await expect.poll(() => seen).toEqual([1, 3, 4]);
    late.unsubscribe();
  });

  it('N6 have eight mebibytes at most where no bound is set', async () => {
    const { follower, publisher, subscribers } = setUp();
    const seen: number[] = [];
    const following = follower.of('a').subscribe(({ image }) => seen.push(image.byteLength));
    await expect.poll(() => subscribers('a')).toBe(1);
    for (const size of [2 ** 23, 2 ** 23 + 1, 1])
      await publisher.publish('a', pictureOf(new Uint8Array(size)));
    await expect.poll(() => seen).toEqual([2 ** 23, 1]);
    following.unsubscribe();
  });

  it('come again once the server is back', async () => {
    const { follower, publisher, subscribers } = setUp();
    const seen: number[] = [];
    const following = follower.of('a').subscribe(({ image }) => seen.push(image[0] ?? 0));
    await expect.poll(() => subscribers('a')).toBe(1);
    await server().kill();
    await server().start();
    await expect.poll(() => subscribers('a'), { timeout: 10_000 }).toBe(1);
    await publisher.publish('a', pictureOf(new Uint8Array([7])));
    await expect.poll(() => seen).toEqual([7]);
    following.unsubscribe();
  });
});
