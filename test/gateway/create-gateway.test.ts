import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/node.js';
import { createGateway, type GatewayOptions, memoryEventLog, memoryJobIndex } from '../../src/gateway.js';
import { leasedPorts } from './leased-ports.js';
import { NEVER } from 'rxjs';
import { playedTarget } from './webhooks/support.js';
import { virtualClock } from '../../src/testing/virtual-clock.js';

const aClient = () => createClient({ baseUrl: 'http://127.0.0.1:1', dialect: 'local' });

/** The option that a gateway refuses. */
const refused = (options: Partial<GatewayOptions>): unknown => {
  try {
    createGateway({ authorize: () => undefined, ...options });
    return 'none';
  } catch (error) {
    const { _tag, option } = error as { readonly _tag: unknown; readonly option: unknown };
    return [_tag, option];
  }
};

describe('a gateway', () => {
  it('refuses options that contradict each other', async () => {
    await using client = aClient();
    const queue = {} as NonNullable<GatewayOptions['queue']>;
    const log = { ...memoryEventLog(), changes: NEVER as never };
    const { index } = leasedPorts(virtualClock()).portsOf('one');
    const webhooks = { sender: playedTarget() };
    for (const [options, option] of [
      [{}, 'client'],
      [{ client, clients: { a: client } }, 'client'],
      [{ clients: {} }, 'clients'],
      [{ queue, clients: { a: client } }, 'clients'],
      [{ client, mount: 'comfy' }, 'mount'],
      [{ client, mount: '/comfy?a' }, 'mount'],
      ...['//h/comfy', '/\\h', '/a/../b', '/./a', '/a b', '/a\n'].map(
        (mount) => [{ client, mount }, 'mount'] as const,
      ),
      ...['', ' ', 'http://h', 'u@h', 'h/', 'h:x', 'h:1:2', '[::1'].map(
        (host) =>
          [{ client, webhooks: { sender: webhooks.sender, allowHosts: ['h', host] } }, 'webhooks'] as const,
      ),
      [{ client, watchTokenSecret: new Uint8Array(31) }, 'watchTokenSecret'],
      // Each would bound nothing.
      [{ client, limits: { jobs: NaN } }, 'limits'],
      [{ client, limits: { requestsPerSecond: -1 } }, 'limits'],
      [{ client, limits: { keptBytes: '64' as never } }, 'limits'],
      [{ client, totals: { heldBytes: NaN } }, 'totals'],
      [{ client, maxWaitMs: NaN }, 'maxWaitMs'],
      [{ client, keepMs: NaN }, 'keepMs'],
      [{ client, stallMs: -1 }, 'stallMs'],
      [{ client, reauthorizeMs: NaN }, 'reauthorizeMs'],
      // Nothing would say who follows a job.
      [{ client, index: memoryJobIndex(), log }, 'index'],
      // Each process would send them.
      [{ client, index, webhooks }, 'webhooks'],
    ] as const)
      expect([option, refused(options)]).toEqual([option, ['InvalidConfig', option]]);
  });

  it('shows a job, its streams, its previews and its tickets to the owner alone', async () => {
    await using client = aClient();
    const index = memoryJobIndex();
    await index.add({
      ...{ id: 'j', owner: 'ann', client: 'default', createdAt: 1, expiresAt: Number.MAX_SAFE_INTEGER },
      ...{ workflow: {}, submissionId: 's', ended: { phase: 'completed', at: 2 } },
    });
    const authorize = ({ headers }: Request) => {
      const name = headers.get('x-name');
      return name === null ? undefined : { name };
    };
    await using gateway = createGateway({ ...{ client, index, authorize }, mount: '/comfy/' });
    const ask = (name: string | undefined, path: string, body?: unknown) =>
      gateway.fetch(
        new Request(`http://h/comfy${path}`, {
          headers: name === undefined ? {} : { 'x-name': name },
          ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
        }),
      );
    const statuses = async (path: string, body?: unknown) => [
      (await ask('ann', path, body)).status,
      (await ask('bob', path, body)).status,
      (await ask(undefined, path, body)).status,
    ];
    expect(await statuses('/jobs/j')).toEqual([200, 404, 401]);
    expect(await statuses('/api/v2/jobs/j')).toEqual([200, 404, 401]);
    expect(await statuses('/jobs/j/events')).toEqual([200, 404, 401]);
    expect(await statuses('/jobs/j/previews/1')).toEqual([404, 404, 401]);
    expect(await statuses('/watch-tokens', { job: 'j' })).toEqual([201, 404, 401]);
    const { ticket } = (await (await ask('ann', '/watch-tokens', { job: 'j' })).json()) as {
      readonly ticket: string;
    };
    expect((await ask(undefined, `/jobs/j?ticket=${ticket}`)).status).toBe(200);
    expect((await ask(undefined, `/jobs/other?ticket=${ticket}`)).status).toBe(401);
  });

  it('answers 503 where its ports can’t be read, and once it is closed', async () => {
    await using client = aClient();
    const errors: unknown[] = [];
    const gateway = createGateway({
      ...{ client, authorize: () => ({ name: 'ann' }), onError: (error) => errors.push(error) },
      index: { ...memoryJobIndex(), list: () => Promise.reject(new Error('The disk is gone.')) },
    });
    await expect(gateway.ready).rejects.toThrow('The disk is gone.');
    expect((await gateway.fetch(new Request('http://h/jobs'))).status).toBe(503);
    expect(String(errors[0])).toBe('Error: The disk is gone.');
    await gateway.close();

    const good = createGateway({ client, authorize: () => ({ name: 'ann' }) });
    expect((await good.fetch(new Request('http://h/jobs'))).status).toBe(200);
    await good.close();
    expect((await good.fetch(new Request('http://h/jobs'))).status).toBe(503);
    expect((await good.fetch(new Request('http://h/readyz'))).status).toBe(503);
    expect((await good.fetch(new Request('http://h/healthz'))).status).toBe(200);
  });
});
