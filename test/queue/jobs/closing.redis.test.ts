import { clientOf, playedService, workflow } from '../../gateway/support.js';
import { createGateway } from '../../../src/gateway.js';
import { createJobQueue } from '../../../src/server/queue/jobs/create-job-queue.js';
import { describeRedis } from '../describe-redis.js';
import { expect, it } from 'vitest';
import { redisPorts } from '../../../src/server/queue/jobs/redis-ports.js';

describeRedis((server) => {
  it('Q7: a gateway and a queue end while their server is away', async () => {
    const account = {
      ...{ connection: `redis://127.0.0.1:${server().port}`, name: 'closing' },
      onWarning: () => undefined,
    };
    const queue = createJobQueue(account);
    await queue.stats();
    const gateway = createGateway({
      ...{ client: clientOf(playedService()), authorize: () => ({ name: 'ann' }) },
      ...(await redisPorts(account)),
    });
    const body = JSON.stringify({ workflow });
    const answer = await gateway.fetch(new Request('http://h/api/v2/jobs', { method: 'POST', body }));
    expect(answer.status).toBe(201);
    await server().kill();
    await Promise.all([gateway.close(), queue.close()]);
  });
});
