import { createClient } from '../../src/node.js';
import { createGateway, memoryJobIndex } from '../../src/gateway/index.js';
import { describe, expect, it } from 'vitest';
import type { JobState } from '../../src/state/job-state.js';
import { startEmulator, textToImageWorkflow } from '../../src/emulator/index.js';
import { toPromise } from '../../src/interop/to-promise.js';
import type { Workflow } from '../../src/protocol/workflow.js';

const workflow = textToImageWorkflow({ prompt: 'a pier', steps: 4 });
const other = textToImageWorkflow({ prompt: 'a lake', steps: 4 });

/** The caller names an asset where the service got a text. */
const withReference = JSON.parse(
  JSON.stringify(workflow).replace('"a pier"', '{"__type":"core/ASSET","info":{"id":"a"}}'),
) as Workflow;

const ask = async (gateway: Pick<ReturnType<typeof createGateway>, 'fetch'>, path: string) =>
  (await (await gateway.fetch(new Request(`http://127.0.0.1${path}`))).json()) as Record<string, unknown>;

describe('a gateway that stopped before the answer to a submission', () => {
  it.each(['cloud', 'v2'] as const)('names the jobs that it may have become, over %s', async (dialect) => {
    await using emulator = await startEmulator({
      dialect,
      speed: Infinity,
      // API v2 itself lists no jobs.
      ...(dialect === 'v2' && { switches: { v1Routes: true } }),
    });
    await using client = createClient({ ...emulator, dialect });
    const submit = async (what: Workflow) => (await toPromise(client.rest.submit(what))).promptId;
    const [first, second] = [await submit(workflow), await submit(workflow)];
    const owned = await submit(workflow);
    const third = await submit(other);

    const index = memoryJobIndex();
    const createdAt = Date.now();
    const record = (id: string, promptId?: string) => ({
      ...{ id, owner: 'ann', client: 'default', createdAt, expiresAt: createdAt + 60_000, workflow },
      ...{ submissionId: crypto.randomUUID(), ...(promptId !== undefined && { promptId }) },
    });
    await index.add(record('lost'));
    await index.add({ ...record('with-asset'), workflow: withReference });
    await index.add(record('known', owned));
    await using gateway = createGateway({ client, authorize: () => ({ name: 'ann' }), index });
    await gateway.ready;
    const stream = await gateway.fetch(new Request('http://127.0.0.1/jobs/lost/events'));
    expect(await stream.text()).toContain('unknown');

    const { state } = (await ask(gateway, '/jobs/lost')) as { readonly state: JobState };
    expect(state.phase).toBe('unknown');
    expect(new Set(state.failure?.candidates)).toEqual(new Set([first, second]));
    const withAsset = (await ask(gateway, '/jobs/with-asset')) as { readonly state: JobState };
    expect(new Set(withAsset.state.failure?.candidates)).toEqual(new Set([first, second, third]));
    expect(await ask(gateway, '/api/v2/jobs/lost')).toMatchObject({
      status: 'failed',
      error: { code: 'submission_outcome_unknown', candidates: state.failure?.candidates },
    });
  });
});
