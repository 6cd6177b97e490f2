import { createServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createWorker, type QueueConnection } from '../../../src/queue.js';
import type { Client } from '../../../src/index.js';
import { describeRedis } from '../describe-redis.js';
import { openQueue } from '../../../src/server/queue/jobs/open-queue.js';

const portOf = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
  });
  return (server.address() as AddressInfo).port;
};

/** The error of a worker that can't begin, and how it is meanwhile. */
const begun = async (connection: QueueConnection) => {
  const client = { submissionIds: 'jobs' } as unknown as Client;
  const quiet = { onWarning: () => undefined };
  const worker = createWorker({ connection, name: 'refused', client, connectWithinMs: 700, ...quiet });
  const error = await worker.ready.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  const health = await worker.health();
  await worker.close();
  return { error, health };
};

const said = (words: RegExp) => ({
  error: { _tag: 'Network', message: expect.stringMatching(words) as string },
  health: { ready: false, reason: expect.stringMatching(words) as string },
});

it('Q7: says that a name has no address', async () => {
  expect(await begun('redis://no-such-host.invalid:6379')).toMatchObject(said(/ENOTFOUND|EAI_AGAIN/u));
});

it('Q7: says that a server closes each connection', async () => {
  const port = await portOf(createServer((socket) => socket.destroy()));
  expect(await begun(`redis://127.0.0.1:${port}`)).toMatchObject({ error: { _tag: 'Network' } });
});

it('Q7: says that a port takes TLS alone', async () => {
  const port = await portOf(createTlsServer({}));
  expect(await begun(`redis://127.0.0.1:${port}`)).toMatchObject({
    error: { hint: expect.stringContaining('rediss://') as string },
  });
});

describeRedis(
  (server) => {
    it('Q7: says that a port takes no TLS', async () => {
      const given = { host: '127.0.0.1', port: server().port, tls: {} };
      expect(await begun(given)).toMatchObject({ error: { _tag: 'Network' } });
      const reset = await begun(`rediss://127.0.0.1:${server().port}`);
      expect(reset.health.reason).toBeDefined();
    });

    it('Q7: says that the server has too many clients', async () => {
      const redis = server().connect();
      await redis.config('SET', 'maxclients', '1');
      onTestFinished(async () => {
        await redis.config('SET', 'maxclients', '100');
      });
      expect(await begun(`redis://127.0.0.1:${server().port}`)).toMatchObject(said(/max number of clients/u));
    });

    it('Q7: leaves nothing open where the last step of opening fails', async () => {
      const redis = server().connect();
      await redis.call(
        'ACL',
        'SETUSER',
        'reader',
        'on',
        '>pw',
        '~*',
        '&*',
        '+@read',
        '+@connection',
        '+info',
      );
      const count = async () =>
        String(await redis.client('LIST'))
          .trim()
          .split('\n').length;
      const before = await count();
      const connection = `redis://reader:pw@127.0.0.1:${server().port}`;
      const opening = openQueue({ connection, name: 'a', tier: 3, onWarning: () => undefined });
      await expect(opening).rejects.toThrow(/permission/u);
      await expect.poll(count).toBe(before);
    });
  },
  { isDurable: true },
);
