import { describe, expect, it } from 'vitest';
import { textToImageWorkflow } from '../../../src/emulator.js';
import { call, endless, failing, quick, type Data } from '../support.js';
import { busy, queue, listenLocal, openLocal, post, record, runLocal } from './support.js';

describe('interrupting the local server', () => {
  it.each([
    ['by id', { prompt_id: 'running' }],
    ['without a body', ''],
    ['with junk', '{'],
  ])('ends what runs %s', async (_name, body) => {
    const { emulator, listener } = await busy();
    const answer = await call(emulator, 'POST', '/interrupt', body);
    expect([answer.status, answer.bytes.length]).toEqual([200, 0]);
    await listener.until('executing', ({ node }) => node === null);
    expect((await listener.until('execution_interrupted')).data).toMatchObject({
      prompt_id: 'running',
      node_id: '1',
      node_type: 'SlowNode',
      executed: [],
    });
    expect(await record(emulator, 'running')).toMatchObject({
      status: { status_str: 'error', completed: false },
    });
  });

  it('of a job without a client goes to all sockets', async () => {
    const emulator = await openLocal({ speed: 20 });
    const listener = await listenLocal(emulator, 'bystander');
    await post(emulator, endless);
    await listener.until('progress');
    await call(emulator, 'POST', '/interrupt');
    await listener.until('execution_interrupted');
    await listener.settle();
    expect(new Set(listener.types())).toEqual(new Set(['progress', 'execution_interrupted']));
  });

  it('has no effect on another id, and a list is a 500', async () => {
    const { emulator, promptId } = await busy();
    expect((await call(emulator, 'POST', '/interrupt', { prompt_id: 'other' })).status).toBe(200);
    expect((await call(emulator, 'POST', '/interrupt', [1])).status).toBe(500);
    expect((await queue(emulator)).running).toEqual([promptId]);
  });

  it('is lost before execution_start, on an idle server and on the next run', async () => {
    const emulator = await openLocal({ speed: 0.1 });
    const listener = await listenLocal(emulator, 'early');
    await call(emulator, 'POST', '/interrupt');
    await post(emulator, { 1: { class_type: 'SlowNode', inputs: { steps: 0 } } }, 'early', {
      prompt_id: 'p',
    });
    expect((await queue(emulator)).running).toEqual(['p']);
    await call(emulator, 'POST', '/interrupt', { prompt_id: 'p' });
    expect(listener.types()).toEqual([]);
    await listener.until('execution_success');
  });
});

describe('what the local server tells of a run', () => {
  it('ends with success, status and executing without a node', async () => {
    const emulator = await openLocal();
    const { listener } = await runLocal(emulator, textToImageWorkflow({ width: 64, height: 64, steps: 1 }));
    const order = listener.heard.map(({ type, data }) =>
      type === 'executing' ? `executing ${String(data['node'])}` : type,
    );
    expect(order.slice(0, 5)).toEqual(['status', 'status', 'status', 'execution_start', 'execution_cached']);
    expect(order.slice(-3)).toEqual(['execution_success', 'status', 'executing null']);
    expect(order).not.toContain('notification');
  });

  it('writes the record between execution_success and executing null', async () => {
    const emulator = await openLocal();
    const { promptId, listener } = await runLocal(emulator, quick, {
      extra_data: { api_key_comfy_org: 'k' },
    });
    const { client_id: clientId } = (await record(emulator, promptId))?.['prompt'] as never;
    expect(clientId).toBeUndefined();
    const kept = await record(emulator, promptId);
    expect(kept).toMatchObject({
      outputs: { 1: { text: ['2 steps'] } },
      status: { status_str: 'success', completed: true },
      meta: { 1: { node_id: '1', real_node_id: '1' } },
    });
    const [number, id, graph, extraData, outputs] = kept?.['prompt'] as unknown[];
    expect([number, id, graph, outputs]).toEqual([0, promptId, quick, ['1']]);
    expect(Object.keys(extraData as Data)).toEqual(['client_id']);
    const messages = (kept?.['status'] as { messages: [string][] }).messages.map(([type]) => type);
    expect(messages).toEqual(['execution_start', 'execution_cached', 'execution_success']);
    expect(listener.types().at(-1)).toBe('executing');
  });

  it('tells a failure with the ids of all nodes', async () => {
    const emulator = await openLocal();
    const { promptId, listener } = await runLocal(emulator, failing('OOMError'));
    expect((await listener.until('execution_error')).data).toMatchObject({
      exception_type: 'OOMError',
      current_outputs: ['1'],
    });
    expect(listener.types()).not.toContain('execution_success');
    expect(await record(emulator, promptId)).toMatchObject({
      status: { status_str: 'error', completed: false },
      outputs: {},
    });
  });

  it('tells output null of a cached output node that shows nothing', async () => {
    const emulator = await openLocal();
    const silent = { 1: { class_type: 'SilentOutput', inputs: { anything: 1 } } };
    expect((await runLocal(emulator, silent)).listener.types()).not.toContain('executed');
    const { listener } = await runLocal(emulator, silent);
    expect((await listener.until('executed')).data).toMatchObject({ node: '1', output: null });
    expect((await listener.until('execution_cached')).data['nodes']).toEqual(['1']);
  });

  it('writes numbers that JSON does not know, on the socket and in the whole history', async () => {
    const emulator = await openLocal();
    const { promptId, listener } = await runLocal(emulator, { 1: { class_type: 'OddNumbers', inputs: {} } });
    const numbers = '"numbers": [NaN, Infinity, -1.5]';
    expect((await listener.until('executed')).text).toContain(numbers);
    for (const path of ['/history', `/api/history/${promptId}`]) {
      expect(await (await fetch(emulator.baseUrl + path)).text()).toContain(numbers);
    }
  });

  it('M11 takes numbers that JSON does not know in a body, and lists them again', async () => {
    const { baseUrl } = await openLocal();
    const node = '{"class_type": "SilentOutput", "inputs": {"anything": NaN}}';
    const body = `{"prompt": {"1": ${node}}, "extra_data": {"x": [-Infinity]}, "prompt_id": "p"}`;
    expect((await fetch(`${baseUrl}/prompt`, { method: 'POST', body })).status).toBe(200);
    const history = async () => (await fetch(`${baseUrl}/history/p`)).text();
    await expect.poll(history).toContain('"anything": NaN');
    expect(await history()).toContain('"x": [-Infinity]');
  });

  it('puts videos under images with animated', async () => {
    const emulator = await openLocal();
    const video = {
      1: { class_type: 'EmptyLatentImage', inputs: { width: 64, height: 64, batch_size: 1 } },
      2: { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: 'scenery-v1.safetensors' } },
      3: { class_type: 'VAEDecode', inputs: { samples: ['1', 0], vae: ['2', 2] } },
      4: { class_type: 'CreateVideo', inputs: { images: ['3', 0], fps: 4 } },
      5: {
        class_type: 'SaveVideo',
        inputs: { video: ['4', 0], filename_prefix: 'clips/one', format: 'auto', codec: 'auto' },
      },
    };
    const { listener } = await runLocal(emulator, video);
    expect((await listener.until('executed')).data['output']).toMatchObject({
      images: [{ filename: 'one_00001_.mp4', subfolder: 'clips', type: 'output' }],
      animated: [true],
    });
  });

  it('keeps records until they are deleted, in the order of their ends', async () => {
    const emulator = await openLocal();
    for (const prompt_id of ['a', 'b', 'c']) await runLocal(emulator, quick, { prompt_id });
    const ids = async (query = ''): Promise<readonly string[]> =>
      Object.keys((await call(emulator, 'GET', `/history${query}`)).body);
    expect(await ids()).toEqual(['a', 'b', 'c']);
    expect(await ids('?max_items=1')).toEqual(['c']);
    expect(await ids('?max_items=1&offset=0')).toEqual(['a']);
    expect((await call(emulator, 'GET', '/history?max_items=abc')).status).toBe(500);
    const answer = await call(emulator, 'POST', '/history', { delete: ['b'] });
    expect([answer.status, answer.bytes.length]).toEqual([200, 0]);
    expect(await ids()).toEqual(['a', 'c']);
    await call(emulator, 'POST', '/history', { clear: true });
    expect(await ids()).toEqual([]);
  });
});
