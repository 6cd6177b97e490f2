import {
  ask,
  copyOf,
  expectPreview,
  made,
  sent,
  type ShownJob,
  twoEngines,
  uploaded,
  widthOf,
} from './two-engines.js';
import { createGateway, type Gateway, type RemoteServer } from '../../../src/gateway.js';
import { createJobQueue, createWorker, type JobQueue, redisPorts } from '../../../src/queue.js';
import { createPool } from '../../../src/pool.js';
import { describeRedis } from '../../queue/describe-redis.js';
import { expect, it, onTestFinished } from 'vitest';
import { filter, firstValueFrom } from 'rxjs';
import type { RedisServer } from '../../helpers/redis-server.js';

let names = 0;

/** A gateway over a queue over two engines, with one worker for each of them. */
const overQueue = async (server: RedisServer, speed?: number) => {
  const [one, two] = await twoEngines(speed);
  const redis = { connection: `redis://127.0.0.1:${server.port}`, name: `gateway-${(names += 1)}` };
  const poolOf = (...servers: readonly { readonly name: string; readonly baseUrl: string }[]) => {
    const pool = createPool({
      servers: servers.map(({ name, baseUrl }) => ({ name, baseUrl, dialect: 'local' as const })),
    });
    onTestFinished(() => pool.close());
    return pool;
  };
  const [first, second] = [
    { name: 'one', baseUrl: one.baseUrl },
    { name: 'two', baseUrl: two.baseUrl },
  ];
  for (const engine of [first, second]) {
    const worker = createWorker({ ...redis, pool: poolOf(engine), lockMs: 800 });
    onTestFinished(() => worker.close());
    await worker.ready;
  }
  const queue = createJobQueue({ ...redis, over: 'servers' });
  const gateway = createGateway({
    queue,
    client: poolOf(first, second),
    authorize: () => ({ name: 'ann', servers: 'change' as const }),
    ...(await redisPorts(redis)),
  });
  onTestFinished(() => gateway.close().then(() => queue.close()));
  await gateway.ready;
  await firstValueFrom(
    queue.servers.pipe(filter((all) => all.length === 2 && all.every(({ health }) => health === 'up'))),
  );
  return { one, two, queue, gateway };
};

/** Lets this server alone take jobs. */
const only = async (queue: JobQueue, name: string): Promise<void> => {
  await queue.pauseServer(name === 'one' ? 'two' : 'one');
  await queue.resumeServer(name);
};

const run = (gateway: Gateway, workflow: unknown): Promise<ShownJob> =>
  ask<ShownJob>(gateway, '/jobs', { workflow });

describeRedis(
  (server) => {
    it('reads each file from the server that made it, also where both have one of that name', async () => {
      const { one, two, queue, gateway } = await overQueue(server());
      await only(queue, 'one');
      const first = await run(gateway, made(64));
      await only(queue, 'two');
      const second = await run(gateway, made(128));
      expect([sent(one, '/api/prompt'), sent(two, '/api/prompt')]).toEqual([1, 1]);
      expect(first.files[0]?.filename).toBe(second.files[0]?.filename);
      expect([await widthOf(gateway, first), await widthOf(gateway, second)]).toEqual([64, 128]);
    });

    it('gives an upload to the server that gets the job, once, and reads it again', async () => {
      const { one, two, queue, gateway } = await overQueue(server());
      const { image, id } = await uploaded(gateway, 16);
      const uploads = () => [sent(one, '/api/upload/image'), sent(two, '/api/upload/image')];
      expect(uploads()).toEqual([0, 0]);
      await only(queue, 'two');
      for (const prefix of ['a', 'b'])
        expect(await widthOf(gateway, await run(gateway, copyOf(image, prefix)))).toBe(16);
      expect(uploads()).toEqual([0, 1]);
      await only(queue, 'one');
      expect(await widthOf(gateway, await run(gateway, copyOf(image, 'c')))).toBe(16);
      expect(uploads()).toEqual([1, 1]);
      const content = await gateway.fetch(new Request(`http://h/api/v2/assets/${id}/content`));
      expect([content.status, content.headers.get('content-type')]).toEqual([200, 'image/png']);
    });

    it('takes the output of a job as input on another server, and a picture with a mask', async () => {
      const { one, two, queue, gateway } = await overQueue(server());
      await only(queue, 'one');
      const first = await run(gateway, made(64));
      await only(queue, 'two');
      // It has another file of that name.
      await run(gateway, made(128));
      const output = { __type: 'core/ASSET', info: { id: first.files[0]?.id } };
      expect(await widthOf(gateway, await run(gateway, copyOf(output)))).toBe(64);
      const photo = await uploaded(gateway, 16);
      for (const [size, id] of [
        [64, first.files[0]?.id],
        [16, photo.id],
      ] as const) {
        const { image } = await uploaded(gateway, size, id);
        expect(await widthOf(gateway, await run(gateway, copyOf(image, `masked-${size}`)))).toBe(size);
      }
      expect(sent(one, '/api/upload/mask') + sent(two, '/api/upload/mask')).toBe(2);
      expect([sent(one, '/api/prompt'), sent(two, '/api/prompt')]).toEqual([1, 4]);
    });

    it('gives the previews of a job from the server that runs it', async () => {
      const { queue, gateway } = await overQueue(server(), 2);
      for (const name of ['two', 'one']) {
        await only(queue, name);
        await expectPreview(gateway);
      }
    });

    it('shows the servers of the queue to those with the right, and pauses one', async () => {
      const { queue, gateway } = await overQueue(server());
      const { servers } = await ask<{ readonly servers: readonly RemoteServer[] }>(gateway, '/servers');
      expect(servers.map(({ name, health, workers }) => [name, health, workers?.length])).toEqual([
        ['one', 'up', 1],
        ['two', 'up', 1],
      ]);
      expect(await ask(gateway, '/servers/one/pause', {})).toMatchObject({ name: 'one', mode: 'paused' });
      expect(await firstValueFrom(queue.servers)).toMatchObject([{ mode: 'paused' }, { mode: 'active' }]);
    });
  },
  { isDurable: true },
);
