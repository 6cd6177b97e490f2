import { aQueue } from '../worker/a-worker.js';
import { createClient, defaultPlatform } from '../../../src/node.js';
import { createGateway, memoryEventLog, memoryJobIndex, memoryTemplateStore } from '../../../src/gateway.js';
import { describeRedis } from '../describe-redis.js';
import { expect, it } from 'vitest';
import { fakePlatform } from '../../helpers/fake-platform.js';
import { filePorts } from '../../../src/gateway-node.js';
import { newFolder } from '../../gateway/node/ports-in-a-folder.js';
import { redisPorts } from '../../../src/queue.js';

/** A body has so many bytes, and its caller may have little more under way: what is kept of one leaves no room for the next. */
const size = 20_000;
const text = 'x'.repeat(size);
const node = (className: string, more = ''): string =>
  `"1":{"class_type":"${className}","inputs":{"text":"${text}"${more}}}`;
const json = { 'content-type': 'application/json' };
const multipart = { 'content-type': 'multipart/form-data; boundary=b' };
const jobs = '/api/v2/jobs';

/** Ways to be refused: by the gateway before there is a record, by its bounds, and by the service. */
const refusals: readonly (readonly [
  what: string,
  method: string,
  path: string,
  body: string,
  status: number,
  headers?: Readonly<Record<string, string>>,
])[] = [
  ['no JSON', 'POST', jobs, `{"workflow":{${node('Good')}`, 400],
  [
    'too deep',
    'POST',
    jobs,
    `{"workflow":{${node('Good', `,"a":${'['.repeat(70)}${']'.repeat(70)}`)}}}`,
    400,
  ],
  ['another member', 'POST', jobs, `{"workflow":{${node('Good')}},"x":1}`, 422],
  ['a file of the editor', 'POST', jobs, `{"workflow":{"nodes":[],${node('Good')}}}`, 422],
  [
    'a reference to nothing',
    'POST',
    jobs,
    `{"workflow":{${node('Good', ',"a":{"__type":"core/ASSET","info":{"id":"none"}}')}}}`,
    422,
  ],
  ['what the service refuses', 'POST', jobs, `{"workflow":{${node('Bad')}}}`, 422],
  ['an input that is not there', 'POST', '/jobs', `{"workflow":{${node('Good')}},"inputs":{"a.b":1}}`, 422],
  ['no form', 'POST', '/jobs', `--b\r\n${text}`, 400, multipart],
  ['no template', 'PUT', '/templates/t', `{"workflow":"${text}"}`, 422],
  ['an unknown template', 'POST', '/templates/none', `{"inputs":{"a":"${text}"}}`, 404],
  ['too large', 'POST', jobs, `{"workflow":{${node('Good')}},"metadata":"${text.repeat(2)}"}`, 413],
];

describeRedis((server) => {
  it.each([
    [
      'memory',
      () => ({ index: memoryJobIndex(), log: memoryEventLog(), templateStore: memoryTemplateStore() }),
    ],
    ['a folder', async () => filePorts(await newFolder())],
    ['Redis', () => redisPorts(aQueue(server()).account)],
  ])('nothing of a refused body is kept beyond its answer, over %s', async (_, open) => {
    const service = fakePlatform(({ json: body }) =>
      String(body).includes('"Bad"')
        ? { status: 400, body: { error: { type: 'prompt_no_outputs', message: 'No.' }, node_errors: {} } }
        : { status: 404 },
    );
    const platform = { ...defaultPlatform(), request: service.request };
    await using client = createClient({ baseUrl: 'http://service.test', dialect: 'local', platform });
    const ports = await open();
    await using gateway = createGateway({
      ...{ ...ports, client, authorize: () => ({ name: 'ann' }) },
      limits: { bodyBytes: 2 * size, heldBytes: 2 * size, keptBytes: 2 * size },
    });
    for (const round of ['one', 'two']) {
      for (const [what, method, path, body, status, headers = json] of refusals) {
        // The key of one that was refused is free for the next.
        const answer = await gateway.fetch(
          new Request(`http://h${path}`, { method, body, headers: { ...headers, 'idempotency-key': 'k' } }),
        );
        expect([round, what, answer.status]).toEqual([round, what, status]);
        await answer.body?.cancel();
      }
    }
    expect(await ports.index.list(undefined, { limit: 100 })).toEqual([]);
    expect(await ports.templateStore.list('ann')).toEqual([]);
    const listed = await gateway.fetch(new Request('http://h/jobs'));
    expect(await listed.json()).toEqual({ jobs: [] });
  });

  it('nothing of a refused body stays in Redis', async () => {
    const redis = server().connect();
    const { account } = aQueue(server());
    const service = fakePlatform(() => ({
      status: 400,
      body: { error: { type: 'prompt_no_outputs', message: 'No.' }, node_errors: {} },
    }));
    const platform = { ...defaultPlatform(), request: service.request };
    await using client = createClient({ baseUrl: 'http://service.test', dialect: 'local', platform });
    await using gateway = createGateway({
      ...{ client, authorize: () => ({ name: 'ann' }), ...(await redisPorts(account)) },
    });
    const post = async () => {
      const body = `{"workflow":{${node('Bad')}}}`;
      const headers = { ...json, 'idempotency-key': 'k' };
      return (await gateway.fetch(new Request(`http://h${jobs}`, { method: 'POST', body, headers }))).status;
    };
    const keys = async () =>
      (await redis.keys('*')).filter((key) => key.startsWith(`{promptwire:${account.name}`)).sort();
    expect(await post()).toBe(422);
    const after = await keys();
    expect(await post()).toBe(422);
    expect(await keys()).toEqual(after);
    expect(after.filter((key) => /:(?:job|key|images|events|jobs-of):/u.test(key))).toEqual([]);
    expect(await redis.get(`{promptwire:${account.name}:gateway}:bytes`)).toBe('0');
  });
});
