import { createGateway, type GatewayOptions, memoryEventLog, memoryJobIndex } from '../../src/gateway.js';
import { createRemote } from '../../src/remote.js';
import { createClient, isTerminal, type Workflow } from '../../src/node.js';
import { expect, it, onTestFinished } from 'vitest';
import { filter, firstValueFrom, lastValueFrom } from 'rxjs';
import { PNG } from 'pngjs';
import { startEmulator } from '../../src/emulator.js';

const workflow: Workflow = {
  '1': { class_type: 'EmptyImage', inputs: { width: 64, height: 64, batch_size: 2, color: 255 } },
  '2': { class_type: 'SaveImageWebsocket', inputs: { images: ['1', 0] } },
};
const base = 'http://gateway.test/sub';

/** A gateway over an emulator whose callers name themselves, and pages of it. */
const setting = async (ports: Partial<GatewayOptions> = {}) => {
  const emulator = await startEmulator({ speed: Infinity });
  const client = createClient(emulator);
  onTestFinished(async () => {
    await client.close();
    await emulator.close();
  });
  const start = () => {
    const gateway = createGateway({
      ...{ client, mount: '/sub', ...ports },
      authorize: ({ headers }) => ({ name: headers.get('authorization') ?? 'ann' }),
    });
    const remote = createRemote({ url: base, fetch: (url, init) => gateway.fetch(new Request(url, init)) });
    onTestFinished(async () => {
      remote.close();
      await gateway.close();
    });
    return { gateway, remote };
  };
  return { start };
};

it('O7: pictures of SaveImageWebsocket have an address at a gateway, which keeps them with their job', async () => {
  const ports = { index: memoryJobIndex(), log: memoryEventLog() };
  const { start } = await setting(ports);
  const first = start();
  const state = await lastValueFrom(first.remote.run(workflow));
  const { promptId: id, socketImages = [] } = state;
  expect(state).toMatchObject({ phase: 'completed', outputsComplete: true, socketSavers: ['2'] });
  expect(socketImages).toEqual(
    [0, 1].map((index) => ({
      ...{ nodeId: '2', index, mediaType: 'image/png' },
      url: `${base}/jobs/${id}/outputs/websocket.${index}.2`,
    })),
  );
  const { gateway } = first;
  const fetched = await gateway.fetch(new Request(socketImages[1]?.url ?? ''));
  expect([fetched.status, fetched.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(PNG.sync.read(Buffer.from(await fetched.arrayBuffer())).width).toBe(64);
  const others = { headers: { authorization: 'bob' } };
  expect((await gateway.fetch(new Request(socketImages[1]?.url ?? '', others))).status).toBe(404);
  expect((await gateway.fetch(new Request(`${base}/jobs/${id}/outputs/websocket.2.2`))).status).toBe(404);

  const second = start();
  const listed = await second.remote.outputs(id);
  expect(listed.map(({ nodeId, filename, mediaType }) => [nodeId, filename, mediaType])).toEqual([
    ['2', 'SaveImageWebsocket_1.png', 'image/png'],
    ['2', 'SaveImageWebsocket_2.png', 'image/png'],
  ]);
  expect((await listed[0]?.blob())?.size).toBeGreaterThan(60);
  const shown = await firstValueFrom(second.remote.follow(id).pipe(filter(({ phase }) => isTerminal(phase))));
  expect(shown.socketImages).toEqual(socketImages);
});

it('O7: a picture that the gateway can not keep leaves the outputs incomplete', async () => {
  const { start } = await setting({ index: { ...memoryJobIndex(), images: undefined as never } });
  const state = await lastValueFrom(start().remote.run(workflow));
  expect(state).toMatchObject({ phase: 'completed', outputsComplete: false });
  expect(state.socketImages?.map(({ nodeId, index: at, url }) => [nodeId, at, url])).toEqual([
    ['2', 0, undefined],
    ['2', 1, undefined],
  ]);
});
