import { http } from 'msw';
import { setupServer } from 'msw/node';
import { PNG } from 'pngjs';
import { filter, firstValueFrom, lastValueFrom, toArray } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket as WebSocketOfWs } from 'ws';
import { browserPlatform } from '../../src/core/platform/browser.js';
import { createGateway } from '../../src/gateway.js';
import {
  createClient,
  isServiceError,
  outputFiles,
  previews,
  toPromise,
  type Workflow,
} from '../../src/node.js';
import { createRemote } from '../../src/remote.js';
import { imageFile, pacedJobs, rejectedWorkflow } from '../../src/testing.js';
import {
  type MswService,
  type MswServiceOptions,
  mswService,
  promptwireHandlers,
} from '../../src/testing-msw.js';

const workflow: Workflow = {
  3: { class_type: 'KSampler', inputs: { steps: 2, model: ['4', 0] } },
  4: { class_type: 'CheckpointLoaderSimple', inputs: {} },
  9: { class_type: 'SaveImage', inputs: { images: ['3', 0] } },
};
const quick = pacedJobs({ nodeMs: 6, waitsMs: 0 });

/** Node 20 has no WebSocket of its own; MSW replaces the one that is there. */
const ownWebSocket = Object.getOwnPropertyDescriptor(globalThis, 'WebSocket');
const server = setupServer();
beforeEach(() => {
  Object.defineProperty(globalThis, 'WebSocket', {
    configurable: true,
    writable: true,
    value: WebSocketOfWs,
  });
  server.listen({ onUnhandledRequest: 'error' });
});
afterEach(() => {
  server.resetHandlers();
  server.close();
  if (ownWebSocket === undefined) Reflect.deleteProperty(globalThis, 'WebSocket');
  else Object.defineProperty(globalThis, 'WebSocket', ownWebSocket);
});

/** A service behind the handlers, and a client that reaches it as a page does. */
const played = (options: MswServiceOptions = {}) => {
  const service = mswService({ jobs: quick, ...options });
  server.use(...service.handlers);
  return { service, client: clientOf(service) };
};
const clientOf = ({ baseUrl, dialect, apiKey }: MswService) =>
  createClient({ baseUrl, dialect, apiKey, platform: browserPlatform() });

describe('the handlers for MSW', () => {
  it('play a job that runs and ends with a picture', async () => {
    const { service, client: page } = played();
    await using client = page;
    const seen = firstValueFrom(client.frames.pipe(previews()));

    const states = await lastValueFrom(client.run(workflow).pipe(toArray()));

    expect([...new Set(states.map(({ phase }) => phase))]).toEqual([
      ...['submitting', 'pending', 'in_progress', 'completed'],
    ]);
    expect(states.some(({ progress }) => progress > 0 && progress < 1)).toBe(true);
    expect(await seen).toMatchObject({ mediaType: 'image/png', nodeId: '3' });
    const [file] = outputFiles(states.at(-1)?.outputs ?? {});
    const answer = await fetch(`${service.baseUrl}/api/view?filename=${file?.filename}&type=output`);
    expect(answer.headers.get('content-type')).toBe('image/png');
    const { width, height } = PNG.sync.read(Buffer.from(await answer.arrayBuffer()));
    expect([width, height]).toEqual([96, 64]);
    expect(service.jobs.map(({ phase }) => phase)).toEqual(['completed']);
  });

  it('play a service in the cloud, whose views redirect to its storage', async () => {
    const { client: page } = played({
      dialect: 'cloud',
      baseUrl: 'https://service.example',
      apiKey: 'a-key-of-a-test',
    });
    await using client = page;
    const job = await toPromise(client.submit(workflow));
    const [file] = outputFiles(await toPromise(job.outputs));
    expect(file?.filename).toBe('9-00001_.png');
    const followed = await fetch(`https://service.example/api/view?filename=${file?.filename}`, {
      headers: { 'x-api-key': 'a-key-of-a-test' },
    });
    expect([followed.status, followed.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect((await fetch('https://service.example/api/queue')).status).toBe(401);
  });

  it('play a node that fails, after what ran before it', async () => {
    const { client: page } = played({
      jobs: pacedJobs({ nodeMs: 6, failsAt: '3', failure: { exceptionType: 'OOMError' } }),
    });
    await using client = page;
    const { phase, failure, outputs } = await lastValueFrom(client.run(workflow));
    expect([phase, failure?.exceptionType, failure?.nodeId, failure?.nodeType]).toEqual([
      ...['failed', 'OOMError', '3', 'KSampler'],
    ]);
    expect(outputs).toEqual({});
  });

  it('refuse a workflow, and take the next one', async () => {
    const problem = { nodeId: '4', classType: 'CheckpointLoaderSimple', input: 'ckpt_name' };
    const { service, client: page } = played({ faults: [rejectedWorkflow(problem)] });
    await using client = page;
    const refused = await lastValueFrom(client.run(workflow)).catch((error: unknown) => error);
    expect(isServiceError(refused) && refused._tag).toBe('BadRequest');
    expect(refused).toMatchObject({ nodeErrors: { 4: { classType: 'CheckpointLoaderSimple' } } });
    expect(service.jobs).toEqual([]);
    expect((await lastValueFrom(client.run(workflow))).phase).toBe('completed');
  });

  it('play a run so slow that its user cancels it', async () => {
    const { service, client: page } = played({ jobs: pacedJobs({ nodeMs: 3_600_000, waitsMs: 0 }) });
    await using client = page;
    const job = await toPromise(client.submit(workflow));
    await firstValueFrom(job.states.pipe(filter(({ phase }) => phase === 'in_progress')));
    await toPromise(client.cancel(job.promptId));
    expect((await lastValueFrom(job.states)).phase).toBe('cancelled');
    expect(service.jobs.map(({ phase }) => phase)).toEqual(['cancelled']);
  });

  it('play faults: a socket that ends, a service that can not be reached', async () => {
    const { service, client: page } = played({ jobs: [{ waitsMs: 0, endsAtMs: 60 }] });
    await using client = page;
    service.inject({ kind: 'dropped socket', atMs: 30 });
    expect((await lastValueFrom(client.run(workflow))).phase).toBe('completed');
    service.inject({ kind: 'unreachable', route: 'queue' });
    await expect(fetch(`${service.baseUrl}/api/queue`)).rejects.toThrow(TypeError);
    expect((await fetch(`${service.baseUrl}/api/queue`)).status).toBe(200);
    expect((await fetch(`${service.baseUrl}/api/queue`, { method: 'PUT' })).status).toBe(405);
  });

  it('keep what a page uploads', async () => {
    const { service, client: page } = played();
    await using client = page;
    const content = new Blob([Uint8Array.of(1, 2, 3)]);
    await toPromise(client.rest.uploadImage({ content, filename: 'input.png' }));
    const read = await fetch(`${service.baseUrl}/api/view?filename=input.png&type=input`);
    expect([...new Uint8Array(await read.arrayBuffer())]).toEqual([1, 2, 3]);
  });

  it('leave every other address of the page alone', async () => {
    server.use(
      ...promptwireHandlers({ baseUrl: 'http://page.example/engine/' }),
      http.get('http://page.example/api/queue', () => new Response('of the page')),
    );
    expect(await (await fetch('http://page.example/api/queue')).text()).toBe('of the page');
    expect(await (await fetch('http://page.example/engine/api/queue')).json()).toEqual({
      ...{ queue_running: [], queue_pending: [] },
    });
  });

  it('play a gateway over the service for a page with a remote', async () => {
    const service = mswService({
      jobs: [{ waitsMs: 0, steps: [{ atMs: 5, node: '9', output: imageFile('a.png') }] }],
    });
    await using client = createClient(service);
    await using gateway = createGateway({ client, authorize: () => ({ name: 'page' }) });
    server.use(http.all('http://app.example/*', ({ request }) => gateway.fetch(request)));
    const remote = createRemote({ url: 'http://app.example' });

    const last = await lastValueFrom(remote.run(workflow));
    const [file] = await remote.outputs(last.promptId);

    expect(last.phase).toBe('completed');
    expect(PNG.sync.read(Buffer.from(await (await file!.blob()).arrayBuffer())).width).toBe(96);
    remote.close();
  });
});
