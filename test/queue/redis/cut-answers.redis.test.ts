import { aQueue, playedClient } from '../worker/a-worker.js';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { createClient } from 'redis';
import { createJobQueue } from '../../../src/server/queue/jobs/create-job-queue.js';
import { describeRedis } from '../describe-redis.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { once } from 'node:events';
import type { QueueConnection } from '../../../src/server/queue/options.js';

const workflow = { 1: { class_type: 'SaveImage', inputs: {} } };
/** The question of BullMQ at the start of each of its connections: what the server is. */
const question = Buffer.from('*1\r\n$4\r\nINFO\r\n');

/** The address of a server whose connection ends at the n-th such question; `cut` ends all of them. */
const cutAt = async (port: number, n: number) => {
  const asked = { count: 0 };
  const sockets = new Set<Socket>();
  const proxy = createServer((socket) => {
    sockets.add(socket);
    const other = connect(port, '127.0.0.1');
    for (const one of [socket, other]) {
      one.on('error', () => undefined);
      one.on('close', () => {
        socket.destroy();
        other.destroy();
      });
    }
    other.pipe(socket);
    socket.on('data', (bytes) => {
      if (bytes.toString('latin1').toUpperCase().includes(question.toString())) asked.count += 1;
      if (asked.count === n) {
        asked.count += 1;
        socket.destroy();
      } else other.write(bytes);
    });
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => void proxy.close());
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return { asked, cut, port: (proxy.address() as AddressInfo).port };
};

const connections: Readonly<Record<string, (port: number) => QueueConnection>> = {
  ioredis: (port) => ({ host: '127.0.0.1', port }),
  'node-redis': (port) => createClient({ url: `redis://127.0.0.1:${port}` }),
};

describeRedis((server) => {
  describe.each(Object.keys(connections))('by %s', (name) => {
    const open = async (n: number) => {
      const { asked, cut, port } = await cutAt(server().port, n);
      const connection = connections[name]!(port);
      return { asked, cut, connection, ...aQueue(server()) };
    };

    it('Q9 adds jobs where the first answer to the connection of a queue is cut, and after a further cut', async () => {
      const { asked, cut, account, connection, phaseOf } = await open(1);
      const queue = createJobQueue({ ...account, connection });
      onTestFinished(() => queue.close());
      await queue.add(workflow);
      cut();
      const id = await queue.add(workflow);
      expect(await phaseOf(id)).toBe('waiting');
      expect(asked.count).toBeGreaterThan(1);
    });

    // The last two of them are those to the connection on which the worker calls, and to that on which it waits.
    it.each([1, 2, 3])(
      'Q9 runs jobs where answer %i to a worker is cut, and after a further cut',
      async (n) => {
        const { asked, cut, connection, queue, work, phaseOf } = await open(n);
        const { service, client } = playedClient();
        const worker = work(client, { connection });
        await worker.ready;
        const id = await queue.add(workflow);
        await expect.poll(() => service.submitted.length).toBe(1);
        service.move(service.submitted[0]!.promptId, 'completed');
        await expect.poll(() => phaseOf(id)).toBe('completed');
        expect(asked.count).toBeGreaterThan(n);
        cut();
        const late = await queue.add(workflow);
        await expect.poll(() => service.submitted.length).toBe(2);
        service.move(service.submitted[1]!.promptId, 'completed');
        await expect.poll(() => phaseOf(late)).toBe('completed');
      },
    );
  });
});
