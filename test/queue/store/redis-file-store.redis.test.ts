import { createJobQueue } from '../../../src/queue.js';
import { describeRedis } from '../describe-redis.js';
import { expect, it, onTestFinished } from 'vitest';
import { hashOfName } from '../../../src/server/queue/servers/input-file.js';
import { redisFileStore } from '../../../src/server/queue/store/redis-file-store.js';

describeRedis(
  (server) => {
    it('forgets files that no open job names, by age and by bytes, and keeps the others', async () => {
      const name = 'files';
      const queue = createJobQueue({
        connection: `redis://127.0.0.1:${server().port}`,
        name,
        over: 'servers',
      });
      onTestFinished(() => queue.close());
      const redis = server().connect();
      const files = redisFileStore({ redis, name });
      const upload = async (text: string) => {
        const file = await queue.upload({ content: new TextEncoder().encode(text), filename: `${text}.txt` });
        return { name: file.name, hash: hashOfName(file.name) ?? '' };
      };
      const [free, used] = [await upload('free'), await upload('used')];
      const id = await queue.add({ 1: { class_type: 'LoadImage', inputs: { image: used.name } } });
      const kept = () =>
        Promise.all([free, used].map(({ hash }) => files.get(hash).then((one) => one !== undefined)));
      await files.expire(3_600_000, 1_000);
      expect(await kept()).toEqual([true, true]);
      await files.expire(3_600_000, 10);
      expect(await kept()).toEqual([false, true]);
      await files.expire(0, 1_000);
      expect(await kept()).toEqual([false, true]);
      await queue.cancel(id);
      await files.expire(0, 1_000);
      expect(await kept()).toEqual([false, false]);
      expect(await redis.get(`{promptwire:${name}}:fileBytes`)).toBe('0');
      await expect(
        queue.add({ 1: { class_type: 'LoadImage', inputs: { image: used.name } } }),
      ).rejects.toMatchObject({ _tag: 'NotFound' });
    });

    it('knows by which value a workflow names a file on each server that has it', async () => {
      const files = redisFileStore({ redis: server().connect(), name: 'values' });
      await files.noteOn('attic', 'h', 'a.png');
      await files.noteOn('cellar', 'h', { asset: 'b' });
      expect(await files.valueOn('attic', 'h')).toBe('a.png');
      expect(await files.valueOn('cellar', 'h')).toEqual({ asset: 'b' });
      expect([await files.valueOn('cellar', 'i'), await files.valueOn('loft', 'h')]).toEqual([
        ...[undefined, undefined],
      ]);
    });

    it('has a file with its media type once it is put, and tells that it has it', async () => {
      const files = redisFileStore({ redis: server().connect(), name: 'kinds' });
      const file = { mediaType: 'image/png', bytes: new Uint8Array([1, 10, 255]) };
      expect([await files.has('h'), await files.get('h')]).toEqual([false, undefined]);
      await files.put('h', file);
      expect([await files.has('h'), await files.get('h')]).toEqual([true, file]);
    });
  },
  { isDurable: true },
);
