import { aQueue } from '../worker/a-worker.js';
import { createClient, defaultPlatform } from '../../../src/node.js';
import { describeRedis } from '../describe-redis.js';
import { expect, it, onTestFinished, vi } from 'vitest';
import { fakePlatform } from '../../helpers/fake-platform.js';

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
});
