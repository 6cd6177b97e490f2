import { createGateway, memoryAssetIndex, memoryEventLog, memoryJobIndex } from '../../../src/gateway.js';
import { createPool } from '../../../src/pool.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fileInput, type UploadedFile } from '../../../src/index.js';
import type { Emulator } from '../../../src/emulator.js';
import type { Gateway } from '../../../src/gateway.js';
import { PNG } from 'pngjs';
import type { Pool } from '../../../src/pool.js';
import { startEmulator, textToImageWorkflow } from '../../../src/emulator.js';

const pictureOf = (size: number): Uint8Array<ArrayBuffer> =>
  new Uint8Array(PNG.sync.write(new PNG({ width: size, height: size })));

const copyOf = (image: unknown, prefix = 'copy') => ({
  1: { class_type: 'LoadImage', inputs: { image } },
  2: { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: prefix } },
});
const made = (size: number, filenamePrefix = 'made') => {
  const workflow = textToImageWorkflow({ width: size, height: size, steps: 1 });
  return Object.fromEntries(
    Object.entries(workflow).map(([id, node]) => [
      id,
      node.class_type === 'SaveImage'
        ? { ...node, inputs: { ...node.inputs, filename_prefix: filenamePrefix } }
        : node,
    ]),
  );
};

/** Two engines, and the ports of gateways, one after the other. */
const engines = async () => {
  const start = (): Promise<Emulator> => startEmulator({ dialect: 'local', speed: Infinity });
  const [one, two] = [await start(), await start()];
  onTestFinished(() => Promise.all([one.close(), two.close()]).then(() => undefined));
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

const sent = ({ requests }: Emulator, path: string): number =>
  requests.filter(({ method, url }) => method === 'POST' && url === path).length;

interface ShownJob {
  readonly id: string;
  readonly state: { readonly phase: string; readonly warnings: readonly string[] };
  readonly files: readonly { readonly id: string; readonly url: string; readonly filename: string }[];
}

const ask = async <A>(gateway: Gateway, path: string, body?: unknown, prefer = 'wait=50'): Promise<A> => {
  const init = body instanceof Blob ? body : JSON.stringify(body);
  const answer = await gateway.fetch(
    new Request(`http://h${path}`, {
      ...(body !== undefined && { method: 'POST', body: init }),
      headers: { prefer },
    }),
  );
  return (await answer.json()) as A;
};

const uploaded = async (gateway: Gateway, size: number): Promise<unknown> => {
  const file = await ask<UploadedFile>(gateway, '/uploads?filename=a.png', new Blob([pictureOf(size)]));
  const { name, subfolder, type, asset } = file;
  return fileInput({ name, subfolder, type, ...(asset !== undefined && { asset }) });
};

const widthOf = async (gateway: Gateway, { files }: ShownJob): Promise<number> => {
  const answer = await gateway.fetch(new Request(files.at(-1)?.url ?? ''));
  return PNG.sync.read(Buffer.from(await answer.arrayBuffer())).width;
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
    const image = await uploaded(gateway, 16);
    const again = await uploaded(gateway, 16);
    expect(again).toMatchObject({ info: { hash: (image as { info: { hash: string } }).info.hash } });
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

  it('goes on after a restart with jobs that wait, and submits none twice', async () => {
    const { one, two, index, open } = await engines();
    const before = await open('one');
    const ended = await ask<ShownJob>(before.gateway, '/jobs', { workflow: made(64) });
    const image = await uploaded(before.gateway, 16);
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
    expect(await ask(gateway, '/jobs', { workflow: unknown }, 'wait=0')).toMatchObject({ status: 422 });
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
