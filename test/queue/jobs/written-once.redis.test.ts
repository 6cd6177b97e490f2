import { aQueue } from '../worker/a-worker.js';
import {
  countedSubmission,
  largeSeed,
  submissions,
  takingService,
} from '../../gateway/jobs/written-bodies.js';
import { createClient, defaultPlatform, type Platform } from '../../../src/node.js';
import { createGateway } from '../../../src/gateway.js';
import { createPool } from '../../../src/pool.js';
import { describeRedis } from '../describe-redis.js';
import { expect, it, onTestFinished, vi } from 'vitest';
import { fakePlatform } from '../../helpers/fake-platform.js';
import { redisPorts } from '../../../src/queue.js';

const mark = 'a text that stands nowhere else';
const workflow = { 1: { class_type: 'X', inputs: { text: mark, seed: 7 } } };

/** How often the text of a workflow is read, and how often it is written, while something runs. */
const counts = () => {
  const stringify = vi.spyOn(JSON, 'stringify');
  const parse = vi.spyOn(JSON, 'parse');
  onTestFinished(() => {
    stringify.mockRestore();
    parse.mockRestore();
  });
  return () => [
    parse.mock.calls.filter(([text]) => text.includes(mark)).length,
    stringify.mock.results.filter(({ value }) => String(value).includes(mark)).length,
  ];
};

describeRedis((server) => {
  const service = () => {
    const requests = fakePlatform(({ method }) =>
      method === 'POST' ? { body: { prompt_id: 'p', number: 1, node_errors: {} } } : { status: 404 },
    );
    const platform = { ...defaultPlatform(), request: requests.request };
    const client = createClient({ baseUrl: 'http://service.test', dialect: 'local', platform });
    onTestFinished(() => client.close());
    const sent = () =>
      requests.requests.filter(({ method }) => method === 'POST').map(({ json }) => String(json));
    return { client, sent };
  };

  it('a queue writes the workflow of a job once, and a worker reads it once and writes it once', async () => {
    const { queue, work } = aQueue(server());
    const { client, sent } = service();
    const ofQueue = counts();
    await queue.add(workflow);
    expect(ofQueue()).toEqual([0, 1]);
    vi.restoreAllMocks();
    const ofWorker = counts();
    work(client);
    await expect.poll(sent).toHaveLength(1);
    expect(ofWorker()).toEqual([1, 1]);
  });

  const baseUrl = 'http://service.test';
  it.each([
    [
      'a client',
      (platform: Platform) => createClient({ baseUrl, dialect: 'local', platform }),
      Object.keys(submissions),
    ],
    [
      'a pool',
      (platform: Platform) =>
        createPool({ servers: [{ baseUrl, dialect: 'local', platform, name: 'one', slots: 10 }] }),
      Object.keys(submissions),
    ],
    // Without a service of its own it brings no files.
    ['a queue', () => undefined, ['API v2', 'a value by name']],
  ])(
    'a gateway over Redis and %s parses a body once and writes its workflow once',
    async (_, connect, ways) => {
      const { account, queue } = aQueue(server());
      const { platform, sent } = takingService();
      await using client = connect(platform);
      await using gateway = createGateway({
        ...(client === undefined ? { queue } : { client }),
        ...{ authorize: () => ({ name: 'ann' }), ...(await redisPorts(account)) },
      });
      let count = 0;
      for (const way of ways) {
        for (const seed of ['7', largeSeed]) {
          count += 1;
          const isSent = () => client === undefined || sent().length === count;
          const { counts } = await countedSubmission(gateway, submissions[way]!(seed), isSent);
          expect([way, seed, ...counts]).toEqual([way, seed, 1, 1]);
          if (client !== undefined) expect(sent().at(-1)).toContain(`"seed":${seed}}`);
        }
      }
    },
  );
});
