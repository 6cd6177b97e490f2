import { aQueue } from '../worker/a-worker.js';
import { createClient, defaultPlatform } from '../../../src/node.js';
import { createGateway, memoryEventLog, memoryJobIndex } from '../../../src/gateway.js';
import { describeRedis } from '../describe-redis.js';
import { expect, it } from 'vitest';
import { fakePlatform } from '../../helpers/fake-platform.js';
import { filePorts } from '../../../src/gateway-node.js';
import { newFolder } from '../../gateway/node/ports-in-a-folder.js';
import { redisPorts } from '../../../src/queue.js';

const body = '{"workflow":{"1":{"class_type":"X","inputs":{}}}}';

describeRedis((server) => {
  it.each([
    ['memory', () => ({ index: memoryJobIndex(), log: memoryEventLog() })],
    ['a folder', async () => filePorts(await newFolder())],
    ['Redis', () => redisPorts(aQueue(server()).account)],
  ])(
    'a service that answers two jobs with one id has the second one answered alike over %s',
    async (_, open) => {
      const service = fakePlatform(({ method }) =>
        method === 'POST' ? { body: { prompt_id: 'p', number: 1, node_errors: {} } } : { status: 404 },
      );
      const platform = { ...defaultPlatform(), request: service.request };
      await using client = createClient({ baseUrl: 'http://service.test', dialect: 'local', platform });
      const ports = await open();
      await using gateway = createGateway({ ...ports, client, authorize: () => ({ name: 'ann' }) });
      const post = async (key: string, sent = body) => {
        const headers = { 'idempotency-key': key, 'idempotency-replay': 'true' };
        const answer = await gateway.fetch(
          new Request('http://h/api/v2/jobs', { method: 'POST', headers, body: sent }),
        );
        return { status: answer.status, json: (await answer.json()) as Answered };
      };
      const first = await post('one');
      expect(first.status).toBe(201);
      const second = await post('two');
      expect(second).toMatchObject({ status: 500, json: { error: { code: 'upstream_error' } } });
      const id = second.json.error?.details['job_id'];
      expect(id).not.toBe(first.json.id);
      // Both keys name one job each, and neither is sent again.
      expect(await post('one')).toMatchObject({ status: 201, json: { id: first.json.id } });
      expect(await post('two')).toMatchObject({ status: 201, json: { id } });
      expect(service.requests.filter(({ method }) => method === 'POST')).toHaveLength(2);
      // A caller names no job of the service.
      const named = await post('three', `${body.slice(0, -1)},"prompt_id":"p"}`);
      expect(named).toMatchObject({ status: 422, json: { error: { code: 'invalid_workflow' } } });
    },
  );
});

interface Answered {
  readonly id?: string;
  readonly error?: { readonly code: string; readonly details: Readonly<Record<string, string>> };
}
