import { createGateway, memoryAssetIndex, memoryEventLog, memoryJobIndex } from '../../../src/gateway.js';
import { createPool, type Pool } from '../../../src/pool.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  ask,
  copyOf,
  expectPreview,
  made,
  sent,
  type ShownJob,
  twoEngines,
  uploaded,
  widthOf,
} from './two-engines.js';

/** Two engines, and the ports of gateways, one after the other. */
const engines = async (speed?: number) => {
  const [one, two] = await twoEngines(speed);
  const kept = { close: () => Promise.resolve() };
  const ports = {
    index: { ...memoryJobIndex(), ...kept },
    log: { ...memoryEventLog(), ...kept },
    assets: { ...memoryAssetIndex({ now: Date.now }), ...kept },
  };
  const open = async (...names: readonly string[]) => {
    const pool = createPool({
      servers: [
        { baseUrl: one.baseUrl, dialect: 'local', name: 'one' },
        { baseUrl: two.baseUrl, dialect: 'local', name: 'two' },
      ],
    });
    only(pool, ...names);
    const gateway = createGateway({ client: pool, authorize: () => ({ name: 'ann' }), ...ports });
    await gateway.ready;
    const close = (): Promise<void> => gateway.close().then(() => pool.close());
    onTestFinished(close);
    return { pool, gateway, close };
  };
  return { one, two, ...ports, open };
};

/** Lets these servers alone take jobs. */
const only = (pool: Pool, ...names: readonly string[]): void => {
  for (const name of ['one', 'two']) {
    if (names.includes(name)) pool.resumeServer(name);
    else pool.pauseServer(name);
  }
};

describe('a gateway over a pool', () => {
  it('reads each file from the server that made it, also where both have one of that name', async () => {
    const { one, two, open } = await engines();
    const { pool, gateway } = await open('one');
    const first = await ask<ShownJob>(gateway, '/jobs', { workflow: made(64) });
    only(pool, 'two');
    const second = await ask<ShownJob>(gateway, '/jobs', { workflow: made(128) });
    expect([sent(one, '/api/prompt'), sent(two, '/api/prompt')]).toEqual([1, 1]);
    expect(first.files[0]?.filename).toBe(second.files[0]?.filename);
    expect([await widthOf(gateway, first), await widthOf(gateway, second)]).toEqual([64, 128]);
    // The names of servers are their operator's business.
    expect(first.state).not.toHaveProperty('server');
  });

  it('copies an upload to the server that gets the job, once, also after a restart', async () => {
    const { one, two, open } = await engines();
    const { gateway, pool, close } = await open('one', 'two');
    const { image, hash } = await uploaded(gateway, 16);
    expect(hash).toBeDefined();
    expect(await uploaded(gateway, 16)).toMatchObject({ hash });
    const uploads = () => [sent(one, '/api/upload/image'), sent(two, '/api/upload/image')];
    // The same bytes were sent once.
    expect(uploads()).toEqual([1, 0]);
    only(pool, 'two');
    for (const prefix of ['a', 'b'])
      expect(await widthOf(gateway, await ask(gateway, '/jobs', { workflow: copyOf(image, prefix) }))).toBe(
        16,
      );
    expect(uploads()).toEqual([1, 1]);
    await close();

    const next = await open('one');
    const job = await ask<ShownJob>(next.gateway, '/jobs', { workflow: copyOf(image, 'c') });
    expect(job.state.phase).toBe('completed');
  });

  it('copies the output of a job to the server that gets the next one', async () => {
    const { one, two, open } = await engines();
    const { pool, gateway } = await open('one');
    const first = await ask<ShownJob>(gateway, '/jobs', { workflow: made(64) });
    only(pool, 'two');
    await ask(gateway, '/jobs', { workflow: made(128) });
    const reference = { __type: 'core/ASSET', info: { id: first.files[0]?.id } };
    const job = await ask<ShownJob>(gateway, '/jobs', { workflow: copyOf(reference) });
    expect(await widthOf(gateway, job)).toBe(64);
    expect([sent(one, '/api/prompt'), sent(two, '/api/prompt')]).toEqual([1, 2]);
  });

  it('has the server that has a picture make it another one with a mask, which goes where a job needs it', async () => {
    const { one, two, open } = await engines();
    const { pool, gateway } = await open('one');
    const photo = await uploaded(gateway, 16);
    only(pool, 'two');
    const painted = await ask<ShownJob>(gateway, '/jobs', { workflow: made(32) });
    only(pool, 'one', 'two');
    const masked = await uploaded(gateway, 16, photo.id);
    const paintedMasked = await uploaded(gateway, 32, painted.files[0]?.id);
    expect([sent(one, '/api/upload/mask'), sent(two, '/api/upload/mask')]).toEqual([1, 1]);
    const widths: number[] = [];
    for (const [name, { image }] of [
      ['two', masked],
      ['one', paintedMasked],
    ] as const) {
      only(pool, name);
      widths.push(await widthOf(gateway, await ask(gateway, '/jobs', { workflow: copyOf(image, name) })));
    }
    expect(widths).toEqual([16, 32]);
  });

  it('gives the previews of a job from the server that runs it', async () => {
    const { open } = await engines(2);
    const { pool, gateway } = await open('two');
    await expectPreview(gateway);
    only(pool, 'one');
    await expectPreview(gateway);
  });

  it('goes on after a restart with jobs that wait, and submits none twice', async () => {
    const { one, two, index, open } = await engines();
    const before = await open('one');
    const ended = await ask<ShownJob>(before.gateway, '/jobs', { workflow: made(64) });
    const { image } = await uploaded(before.gateway, 16);
    only(before.pool);
    const waiting = await ask<ShownJob>(before.gateway, '/jobs', { workflow: copyOf(image) }, 'wait=0');
    expect(waiting.state.phase).toBe('pending');
    expect(await index.get(waiting.id)).not.toHaveProperty('place');
    await before.close();

    const { gateway } = await open('two');
    // The stream ends with the job.
    const events = await gateway.fetch(new Request(`http://h/jobs/${waiting.id}/events`));
    expect(await events.text()).toContain('"completed"');
    expect([sent(one, '/api/prompt'), sent(two, '/api/prompt')]).toEqual([1, 1]);
    expect(await index.get(waiting.id)).toMatchObject({ place: { server: 'two', attempt: 1 } });
    expect(await widthOf(gateway, await ask(gateway, `/jobs/${waiting.id}`))).toBe(16);
    expect(await widthOf(gateway, ended)).toBe(64);
  });

  it('refuses what no server can run as one server does, and cancels a job that waits', async () => {
    const { one, two, open } = await engines();
    const { pool, gateway } = await open('one', 'two');
    const unknown = { 1: { class_type: 'NoSuchClass', inputs: {} } };
    // On a busy machine the servers have not answered by the time of the first one's own answer.
    await expect
      .poll(() => ask(gateway, '/jobs', { workflow: unknown }, 'wait=0'), { timeout: 20_000 })
      .toMatchObject({ status: 422 });
    only(pool);
    const job = await ask<ShownJob>(gateway, '/jobs', { workflow: made(64) }, 'wait=0');
    await ask(gateway, `/jobs/${job.id}/cancel`, {});
    // The stream ends with the job.
    const events = await gateway.fetch(new Request(`http://h/jobs/${job.id}/events`));
    expect(await events.text()).toContain('"cancelled"');
    only(pool, 'one', 'two');
    expect([sent(one, '/api/prompt'), sent(two, '/api/prompt')]).toEqual([0, 0]);
  });

  it('is ready while one server answers, and knows the classes and choices of all', async () => {
    const { one, two, open } = await engines();
    const { gateway } = await open('one', 'two');
    await one.close();
    expect((await gateway.fetch(new Request('http://h/readyz'))).status).toBe(200);
    const classes = await ask<Record<string, unknown>>(gateway, '/definitions?class=SaveImage');
    expect(Object.keys(classes)).toEqual(['SaveImage']);
    await two.close();
  });
});
