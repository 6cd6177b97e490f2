import { describe, expect, it, onTestFinished } from 'vitest';
import { createGateway, type GatewayOptions } from '../../src/gateway.js';
import { emulated, picture, slow, submit } from '../helpers/emulated.js';
import { createRemote } from '../../src/page/remote/create-remote.js';
import { lastValueFrom, toArray } from 'rxjs';
import { mkdtemp, rm } from 'node:fs/promises';
import { filePorts } from '../../src/gateway-node.js';
import { join } from 'node:path';
import { promisedClient } from '../../src/client/promises/promised-client.js';
import { tmpdir } from 'node:os';
import { toPromise } from '../../src/core/interop/to-promise.js';
import type { Workflow } from '../../src/core/protocol/workflow.js';
import { writeExactJson } from '../../src/core/protocol/json/exact-json.js';
import { template } from '../../src/workflow/edit/template.js';

const seed = '18446744073709551615';

/** A small picture with a seed that no `number` holds. */
const withSeed = Object.fromEntries(
  Object.entries(picture()).map(([id, { inputs, ...node }]) => [
    id,
    { ...node, inputs: 'seed' in inputs ? { ...inputs, seed: BigInt(seed) } : inputs },
  ]),
) as Workflow;
const sampler = Object.keys(withSeed).find((id) => withSeed[id]?.class_type === 'KSampler') ?? '';
const asText = JSON.stringify(withSeed, (_, value: unknown) =>
  typeof value === 'bigint' ? 'the seed' : value,
).replace('"the seed"', seed);

/** A gateway over an emulator, and the workflows that reached the service, as they were written. */
const setUp = async (options: Partial<GatewayOptions> = {}) => {
  const { emulator, client } = await emulated({ dialect: 'local' }, { dialect: 'local' });
  const open = (more: Partial<GatewayOptions> = {}) => {
    const gateway = createGateway({ client, authorize: () => ({ name: 'ann' }), ...options, ...more });
    onTestFinished(() => gateway.close());
    return gateway;
  };
  const sent = (): readonly string[] =>
    emulator.requests
      .filter(({ method, url }) => method === 'POST' && url === '/api/prompt')
      .map(({ body }) => /"seed":(\d+)/u.exec(body ?? '')?.[1] ?? '');
  return { client, open, sent };
};

const post = (key?: string): Request =>
  new Request('http://h/api/v2/jobs', {
    method: 'POST',
    headers: key === undefined ? {} : { 'idempotency-key': key, 'idempotency-replay': 'true' },
    body: `{"workflow":${asText}}`,
  });

describe('N5 an integer beyond 2^53', () => {
  it('reaches the service as it was posted to a gateway', async () => {
    const { open, sent } = await setUp();
    expect((await open().fetch(post())).status).toBe(201);
    expect(sent()).toEqual([seed]);
  });

  it('reaches the service as a page gives it to a remote, in a workflow and in the inputs of a template', async () => {
    const { open, sent } = await setUp();
    const paint = template(withSeed, { seed: 'KSampler.seed' });
    if (paint._tag === 'Left') throw paint.left;
    const templates = { paint: paint.right };
    const { fetch } = open({ templates });
    const remote = createRemote({ url: 'http://h', fetch: (url, init) => fetch(new Request(url, init)) });
    onTestFinished(() => remote.close());
    for (const job of [remote.run(withSeed), remote.runTemplate('paint', { seed: BigInt(seed) })])
      expect((await lastValueFrom(job.pipe(toArray()))).at(-1)?.phase).toBe('completed');
    expect(sent()).toEqual([seed, seed]);
  });

  it('is the same in a submission that is repeated after a restart', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'exact-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const { open, sent } = await setUp();
    const first = open(await filePorts(folder));
    const { id } = (await (await first.fetch(post('a key'))).json()) as { readonly id: string };
    await first.close();
    const second = open(await filePorts(folder));
    await second.ready;
    const again = await second.fetch(post('a key'));
    expect(await again.json()).toMatchObject({ id });
    expect(sent()).toEqual([seed]);
  });

  it('is told by a submission that can not have it exactly any more', async () => {
    const { client } = await setUp();
    // The largest seed would be rounded beyond the largest that an engine takes, and be refused.
    const rounded = JSON.parse(asText.replace(seed, '9007199254740993')) as Workflow;
    const { problems } = await toPromise(client.rest.submit(rounded));
    expect(problems).toMatchObject([{ type: 'rounded_integer', nodeId: sampler, input: 'seed' }]);
    expect(await toPromise(client.rest.submit(withSeed))).not.toHaveProperty('problems');
    await expect(toPromise(client.rest.submit(JSON.parse(asText) as Workflow))).rejects.toMatchObject({
      _tag: 'BadRequest',
      nodeErrors: { [sampler]: { errors: [{ type: 'value_bigger_than_max' }] } },
    });
  });

  it('is told by the job of a submission where JSON.parse rounded it', async () => {
    const { client } = await emulated();
    const rounded = JSON.parse(asText.replace(seed, '1234567890123456789')) as Workflow;
    const told = [{ nodeId: sampler, input: 'seed', type: 'rounded_integer', severity: 'warning' }];
    const job = await submit(client, rounded);
    expect(job.problems).toMatchObject(told);
    expect((await promisedClient(client).submit(rounded)).problems).toMatchObject(told);
    expect((await submit(client, withSeed)).problems).toEqual([]);
    expect(client.job(job.promptId).problems).toEqual([]);
  });

  it('N7 is the same in the jobs API and the record of a cloud service', async () => {
    const { client } = await emulated();
    const { promptId, states } = await submit(client, withSeed);
    await lastValueFrom(states);
    const ofWorkflow = { [sampler]: { inputs: { seed: BigInt(seed) } } };
    expect(await toPromise(client.rest.jobDetail(promptId))).toMatchObject({ workflow: ofWorkflow });
    const { record } = await toPromise(client.rest.history(promptId));
    expect(record).toMatchObject({ prompt: { prompt: ofWorkflow } });
  });

  it.each([
    ['small', ''],
    ['read in pieces', 'x'.repeat(2 * 1024 * 1024)],
  ])('N7 is the same in queue, record and listing of a local server: %s', async (_, text) => {
    const { client, sent } = await setUp();
    const titled = {
      ...withSeed,
      [sampler]: { ...withSeed[sampler], _meta: { title: text } },
    } as Workflow;
    const ofWorkflow = { [sampler]: { inputs: { seed: BigInt(seed) } } };
    const holder = await submit(client, slow());
    const job = await submit(client, titled);
    const listed = await toPromise(client.rest.queue());
    expect(listed.pending).toMatchObject([{ promptId: job.promptId, workflow: ofWorkflow }]);
    expect(writeExactJson(listed.pending)).toContain(`"seed":${seed}`);
    expect(await toPromise(client.rest.queue({ workflow: false }))).toMatchObject({
      pending: [{ promptId: job.promptId }],
    });
    await toPromise(holder.cancel());
    await lastValueFrom(job.states);
    const { record } = await toPromise(client.rest.history(job.promptId));
    expect((record['prompt'] as readonly unknown[])[2]).toMatchObject(ofWorkflow);
    const recent = await toPromise(client.rest.recentJobs());
    const found = recent.find(({ promptId }) => promptId === job.promptId);
    expect(found).toMatchObject({ workflow: ofWorkflow });
    // What was read goes out again as it came.
    await submit(client, found?.workflow as Workflow);
    expect(sent().slice(1)).toEqual([seed, seed]);
  });
});
