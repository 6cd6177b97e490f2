import { createClient, defaultPlatform, type Dialect, type Platform } from '../../../src/node.js';
import { createGateway, memoryEventLog, memoryJobIndex } from '../../../src/gateway.js';
import { expect, it, vi } from 'vitest';
import { fakePlatform } from '../../helpers/fake-platform.js';
import { filePorts } from '../../../src/gateway-node.js';
import { newFolder } from '../node/ports-in-a-folder.js';

const mark = 'a text that stands nowhere else';

const memory = () => ({ index: memoryJobIndex(), log: memoryEventLog() });
const baseUrl = 'http://service.test';
const oneClient = (dialect: Dialect) => (platform: Platform) => createClient({ baseUrl, dialect, platform });

it.each([
  ['memory and a local service', memory, oneClient('local')],
  ['memory and a service of API v2', memory, oneClient('v2')],
  ['a folder and a local service', async () => filePorts(await newFolder()), oneClient('local')],
])('a submitted body is parsed once and its workflow written once, for %s', async (_, open, connect) => {
  let jobs = 0;
  const service = fakePlatform(({ method }) => {
    if (method !== 'POST') return { status: 404 };
    const id = `p${(jobs += 1)}`;
    return { body: { prompt_id: id, number: jobs, node_errors: {}, id, status: 'queued' } };
  });
  const platform = { ...defaultPlatform(), request: service.request };
  await using client = connect(platform);
  const ports = await open();
  await using gateway = createGateway({ ...ports, client, authorize: () => ({ name: 'ann' }) });
  const submit = async (seed: string): Promise<string> => {
    const answer = await gateway.fetch(
      new Request('http://gateway.test/api/v2/jobs', {
        method: 'POST',
        body: `{"workflow":{"1":{"class_type":"X","inputs":{"text":"${mark}","seed":${seed}}}}}`,
      }),
    );
    expect(answer.status).toBe(201);
    return ((await answer.json()) as { readonly id: string }).id;
  };
  const stringify = vi.spyOn(JSON, 'stringify');
  const parse = vi.spyOn(JSON, 'parse');
  const id = await submit('7');
  const written = stringify.mock.results.filter(({ value }) => String(value).includes(mark));
  const read = parse.mock.calls.filter(([text]) => text.includes(mark));
  stringify.mockRestore();
  parse.mockRestore();
  expect([read.length, written.length]).toEqual([1, 1]);

  const exact = await submit('18446744073709551615');
  const sent = service.requests.filter(({ method }) => method === 'POST').map(({ json }) => String(json));
  expect(sent).toHaveLength(2);
  expect(sent[1]).toContain('"seed":18446744073709551615}');
  const kept = await Promise.all([id, exact].map((one) => ports.index.get(one)));
  expect(kept.map((record) => record?.workflow[1]?.inputs['seed'])).toEqual([7, 2n ** 64n - 1n]);
});
