import { connect, createServer, type Socket } from 'node:net';
import { describeRedis } from '../describe-redis.js';
import { expect, it, onTestFinished } from 'vitest';
import { aQueue, playedClient } from '../worker/a-worker.js';
import { createClient } from 'redis';
import { createJobQueue } from '../../../src/server/queue/jobs/create-job-queue.js';
import { findProgram } from '../../helpers/describe-with.js';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { QueueConnection } from '../../../src/server/queue/options.js';
import { startRedis } from '../../helpers/redis-server.js';

const workflow = { 1: { class_type: 'SaveImage', inputs: {} } };

/** An address that leads to one server, and to another one for connections from then on. */
const address = async (port: number) => {
  const target = { port };
  const sockets = new Set<Socket>();
  const proxy = createServer((socket) => {
    const other = connect(target.port, '127.0.0.1');
    for (const one of [socket, other]) {
      sockets.add(one);
      one.on('error', () => undefined);
      one.on('close', () => {
        socket.destroy();
        other.destroy();
      });
    }
    socket.pipe(other).pipe(socket);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
  return { target, port: (proxy.address() as AddressInfo).port };
};

const connections: Readonly<Record<string, (port: number) => QueueConnection>> = {
  ioredis: (port) => ({ host: '127.0.0.1', port }),
  'node-redis': (port) => createClient({ url: `redis://127.0.0.1:${port}` }),
};

describeRedis((server) => {
  it.each(Object.keys(connections))(
    'Q9 leaves a server that has become a replica, whose connections stay open, for the one that its address leads to: %s',
    async (name) => {
      const other = await startRedis(findProgram('redis-server') ?? '');
      onTestFinished(() => other[Symbol.asyncDispose]());
      const [primary, replica] = [server().connect(), other.connect()];
      onTestFinished(async () => {
        await primary.replicaof('NO', 'ONE');
      });
      const { target, port } = await address(server().port);
      const connection = connections[name]!(port);
      const { account, work } = aQueue(server());
      const queue = createJobQueue({ ...account, connection });
      onTestFinished(() => queue.close());
      const { service, client } = playedClient();
      const worker = work(client, { connection, tier: 2 });
      await worker.ready;
      const running = await queue.add(workflow);
      await expect.poll(() => service.submitted.length).toBe(1);
      await primary.config('SET', 'repl-diskless-sync-delay', '0');
      await replica.replicaof('127.0.0.1', server().port);
      await expect.poll(() => replica.info('replication')).toContain('master_link_status:up');
      target.port = other.port;
      await replica.replicaof('NO', 'ONE');
      await primary.replicaof('127.0.0.1', other.port);
      const late = () => queue.add(workflow, { id: 'late' }).catch(() => 'refused');
      await expect.poll(late).toBe('late');
      await expect.poll(() => service.submitted.length).toBe(2);
      for (const { promptId } of service.submitted) service.move(promptId, 'completed');
      const phaseOf = async (id: string) => {
        for await (const job of queue.list()) if (job.id === id) return job.phase;
        return undefined;
      };
      for (const id of [running, 'late']) await expect.poll(() => phaseOf(id)).toBe('completed');
      await expect.poll(async () => (await worker.health()).ready).toBe(true);
      expect(service.submitted).toHaveLength(2);
    },
  );
});
