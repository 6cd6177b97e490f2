import { createClient } from 'redis';
import { createJobQueue } from '../../../src/server/queue/jobs/create-job-queue.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { describeRedis } from '../describe-redis.js';
import { firstValueFrom, lastValueFrom, ReplaySubject, take } from 'rxjs';
import { Redis } from 'ioredis';
import { Redis as Redis5 } from 'ioredis5';
import type { QueueConnection, QueueWorkerOptions } from '../../../src/server/queue/options.js';
import { reached, setUp } from '../set-up.js';
import { picture, slow } from '../../helpers/emulated.js';

/** A client of the program's own, as each package makes it, and what ends it. */
const clients: Readonly<
  Record<string, (port: number) => { readonly own: QueueConnection & object; readonly end: () => void }>
> = {
  'ioredis 6': (port) => {
    const own = new Redis({ port, host: '127.0.0.1' });
    own.on('error', () => undefined);
    return { own, end: () => own.disconnect() };
  },
  'ioredis 5': (port) => {
    // Its own calls fail at once while the server is away.
    const calls = { enableOfflineQueue: false, autoResendUnfulfilledCommands: false, commandTimeout: 200 };
    const own = new Redis5({ port, host: '127.0.0.1', lazyConnect: true, ...calls });
    own.on('error', () => undefined);
    return { own: own, end: () => own.disconnect() };
  },
  'node-redis, not connected': (port) => {
    const own = createClient({
      url: `redis://127.0.0.1:${port}`,
      socket: { reconnectStrategy: false },
      // A call of the program's own waits no longer than this, and few wait at once.
      commandOptions: { timeout: 200 },
      commandsQueueMaxLength: 1,
    });
    return { own, end: () => undefined };
  },
};

describeRedis(
  (server) => {
    describe.each(Object.keys(clients))('a queue by an instance of %s', (name) => {
      const open = async () => {
        const { own, end } = clients[name]!(server().port);
        onTestFinished(end);
        const { work, common } = await setUp(server());
        const account = { ...common, connection: own };
        const queue = createJobQueue({ ...account, onWarning: () => undefined });
        onTestFinished(() => queue.close());
        return {
          own,
          queue,
          work: (more: Partial<QueueWorkerOptions> = {}) => work({ connection: own, ...more }),
        };
      };

      it('Q4 runs jobs, follows, lists and cancels them', async () => {
        const { queue, work } = await open();
        const waiting = await queue.add(picture(), { tenant: 't', key: 'k' });
        expect(await queue.add(picture(), { tenant: 't', key: 'k' })).toBe(waiting);
        expect(await queue.cancel(waiting)).toBe('waiting');
        await work();
        const id = await queue.add(picture(), { tenant: 't' });
        const last = await lastValueFrom(queue.follow(id));
        expect(last.phase).toBe('completed');
        expect(Object.keys(await queue.outputs(id))).toEqual(Object.keys(last.outputs));
        const listed = [];
        for await (const job of queue.list()) listed.push([job.id, job.phase]);
        expect(listed).toEqual([
          [id, 'completed'],
          [waiting, 'cancelled'],
        ]);
        expect(await queue.stats()).toMatchObject({ waiting: 0, held: 0, ended: 2, slots: 3 });
      });

      it('Q4 goes on when the server is back, with what was added and what ran meanwhile', async () => {
        const { queue, work } = await open();
        await work();
        const running = await queue.add(slow(400));
        await lastValueFrom(queue.follow(running).pipe(reached('in_progress'), take(1)));
        await server().kill();
        const late = queue.add(picture());
        await server().start();
        expect((await lastValueFrom(queue.follow(running))).phase).toBe('completed');
        expect((await lastValueFrom(queue.follow(await late))).phase).toBe('completed');
      });

      it('Q9 waits through an outage for longer than the client lets a call wait, and takes jobs after it', async () => {
        const { queue, work } = await open();
        const told = new ReplaySubject<string>(1);
        await work({ onWarning: (message) => told.next(message) });
        await server().kill();
        expect(await firstValueFrom(told)).toContain("can't be used for 3 s now");
        await server().start();
        const id = await queue.add(picture());
        expect((await lastValueFrom(queue.follow(id))).phase).toBe('completed');
      });

      it('Q4 leaves the instance to its program, and closes its own connections', async () => {
        const redis = server().connect();
        const count = async () =>
          String(await redis.client('LIST'))
            .trim()
            .split('\n').length;
        const before = await count();
        const { queue } = await open();
        await queue.add(picture());
        await expect.poll(count).toBeGreaterThan(before);
        await queue.close();
        // That of the instance is its program's.
        await expect.poll(count).toBeLessThanOrEqual(before + 1);
      });
    });
  },
  { isDurable: true },
);
