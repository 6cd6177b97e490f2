import { describe, expect, it } from 'vitest';
import { textToImageWorkflow, type Emulator } from '../../../src/emulator/index.js';
import { call, endless, failing, quick, type Data } from '../support.js';
import { listenLocal, openLocal, post, record, runLocal } from './support.js';

const idsOf = (tuples: unknown): readonly unknown[] => (tuples as unknown[][]).map(([, id]) => id);

const queue = async (emulator: Emulator): Promise<Record<'running' | 'pending', readonly unknown[]>> => {
  const { body } = await call(emulator, 'GET', '/queue');
  return { running: idsOf(body['queue_running']), pending: idsOf(body['queue_pending']) };
};

/** A server that is busy with one job, and the socket that follows it. */
const busy = async () => {
  const emulator = await openLocal({ speed: 20 });
  const listener = await listenLocal(emulator, 'busy');
  const { body } = await post(emulator, endless, 'busy', { prompt_id: 'running' });
  await listener.until('progress');
  return { emulator, listener, promptId: String(body['prompt_id']) };
};

describe('submitting to the local server', () => {
  it.each(['/prompt', '/api/prompt'])('works at %s, needs no key and takes the id given', async (path) => {
    const emulator = await openLocal();
    const answer = await call(emulator, 'POST', path, { prompt: quick, prompt_id: 'my-own' }, {});
    expect(answer.bytes.toString()).toBe('{"prompt_id": "my-own", "number": 0, "node_errors": {}}');
  });

  it.each([
    [42, '42'],
    [null, 'None'],
    ['', ''],
  ])('makes an id of %j', async (given, id) => {
    const { body } = await post(await openLocal(), quick, undefined, { prompt_id: given });
    expect(body['prompt_id']).toBe(id);
  });

  it('counts, turns the sign for front, and takes a number as a float', async () => {
    const { emulator } = await busy();
    const answers = [];
    for (const more of [{}, { front: true }, { number: 7 }, { number: -77.5 }, {}] as const)
      answers.push((await post(emulator, quick, 'x', more)).bytes.toString());
    const numbers = answers.map((text) => /"number": ([-\d.]+)/.exec(text)?.[1]);
    expect(numbers).toEqual(['1', '-2', '7.0', '-77.5', '3']);
    const tuples = (await call(emulator, 'GET', '/queue')).body['queue_pending'] as unknown[][];
    expect(tuples[0]?.[0]).toBe(-77.5);
    expect(tuples.map(([number]) => number)).not.toEqual([-77.5, -2, 1, 3, 7]);
    expect(tuples[0]?.slice(2)).toEqual([quick, { client_id: 'x' }, ['1']]);
  });

  it('runs one job at a time, the lowest number first', async () => {
    const { emulator, listener } = await busy();
    for (const [prompt_id, number] of [
      ['c', 3],
      ['a', 1],
      ['b', 2],
    ] as const)
      await post(emulator, quick, 'busy', { prompt_id, number });
    await call(emulator, 'POST', '/interrupt');
    await listener.until('execution_success', ({ prompt_id: id }) => id === 'c');
    const starts = listener.heard.filter(({ type }) => type === 'execution_start');
    expect(starts.map(({ data }) => data['prompt_id'])).toEqual(['running', 'a', 'b', 'c']);
  });

  it('answers 500 to a twin of a waiting job, and runs it all the same', async () => {
    const { emulator } = await busy();
    const twin = { prompt_id: 'twin', number: 5 };
    expect((await post(emulator, quick, 'x', twin)).status).toBe(200);
    expect((await post(emulator, quick, 'x', twin)).status).toBe(500);
    expect((await queue(emulator)).pending).toEqual(['twin', 'twin']);
    await call(emulator, 'POST', '/queue', { delete: ['twin'] });
    expect((await queue(emulator)).pending).toEqual(['twin']);
  });

  it('goes on with a job whose client has left', async () => {
    const { emulator, listener } = await busy();
    await post(emulator, quick, 'busy', { prompt_id: 'later' });
    listener.socket.terminate();
    await call(emulator, 'POST', '/interrupt');
    while ((await record(emulator, 'later')) === undefined);
  });
});

describe('the refusals of the local server', () => {
  const asked = async (body: unknown) => call(await openLocal(), 'POST', '/prompt', body);

  it.each([
    ['no prompt', {}, 'no_prompt'],
    ['a list', [], 'no_prompt'],
    ['no outputs', { prompt: {} }, 'prompt_no_outputs'],
    ['an empty list as prompt', { prompt: [] }, 'prompt_no_outputs'],
    ['an unknown class', { prompt: { 1: { class_type: 'NoSuchNode', inputs: {} } } }, 'invalid_prompt'],
    ['no class', { prompt: { 1: { inputs: {} } } }, 'invalid_prompt'],
    ['unknown targets', { prompt: quick, partial_execution_targets: ['9'] }, 'prompt_no_outputs'],
  ])('for %s is 400 with an error and node_errors', async (_name, body, type) => {
    const answer = await asked(body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ error: { type, extra_info: {} }, node_errors: {} });
    expect(answer.bytes.toString()).toContain('"error": {"type": ');
  });

  it('for a broken input names the node', async () => {
    const { status, body } = await asked({ prompt: { 1: { class_type: 'SaveImage', inputs: {} } } });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      error: { type: 'prompt_outputs_failed_validation' },
      node_errors: { 1: { class_type: 'SaveImage', dependent_outputs: ['1'] } },
    });
  });

  it('for a cycle gives no reason at all', async () => {
    const link = (to: string) => ({ class_type: 'Passthrough', inputs: { anything: [to, 0] } });
    const slow = { class_type: 'SlowNode', inputs: { steps: 1, anything: ['1', 0] } };
    const { body } = await asked({ prompt: { 1: link('2'), 2: link('1'), 3: slow } });
    expect(body).toMatchObject({
      error: { type: 'prompt_outputs_failed_validation', details: '' },
      node_errors: {},
    });
  });

  it.each([
    '{',
    '',
    'null',
    '{"prompt":null}',
    '{"prompt":"x"}',
    '{"prompt":[1]}',
    '{"prompt":{"1":null}}',
    '{"prompt":{},"number":"abc"}',
    '{"prompt":{},"number":null}',
    '{"prompt":{},"extra_data":null}',
  ])('for %s is the server’s own trouble', async (text) => {
    const { status, headers, bytes } = await asked(text);
    expect([status, headers.get('content-type'), bytes.toString()]).toEqual([
      500,
      'text/plain; charset=utf-8',
      '500 Internal Server Error\n\nServer got itself in trouble',
    ]);
  });

  it('for a body beyond the limit is 413 in plain text', async () => {
    const emulator = await openLocal({ switches: { maxPromptBytes: 50 } });
    const { status, bytes } = await post(emulator, quick);
    expect([status, bytes.toString()]).toEqual([413, 'Maximum request body size 50 exceeded']);
  });

  it('of one branch go with a 200, and the other branch runs', async () => {
    const emulator = await openLocal();
    const prompt = { ...quick, bad: { class_type: 'SaveImage', inputs: {} } };
    const { status, body } = await post(emulator, prompt, undefined, { prompt_id: 'half' });
    expect(status).toBe(200);
    expect(Object.keys(body['node_errors'] as Data)).toEqual(['bad']);
    while ((await record(emulator, 'half')) === undefined);
  });

  it('use up a number', async () => {
    const emulator = await openLocal();
    await post(emulator, {});
    expect((await post(emulator, quick)).body['number']).toBe(1);
  });
});

describe('taking jobs out of the local queue', () => {
  it('reaches waiting jobs only, answers nothing, and leaves no trace', async () => {
    const { emulator, listener, promptId } = await busy();
    await post(emulator, quick, 'busy', { prompt_id: 'waits' });
    const answer = await call(emulator, 'POST', '/queue', { delete: ['waits', promptId, 'nobody'] });
    expect([answer.status, answer.bytes.length]).toEqual([200, 0]);
    expect(await queue(emulator)).toEqual({ running: [promptId], pending: [] });
    expect((await call(emulator, 'GET', '/history/waits')).bytes.toString()).toBe('{}');
    await listener.settle();
    expect(listener.heard.filter(({ text }) => text.includes('waits'))).toEqual([]);
    const told = listener.heard.filter(({ type }) => type === 'status').map(({ text }) => text.at(-5));
    // Its coming is told once, and its going twice, since it was the last one.
    expect(told.slice(-4)).toEqual(['1', '2', '1', '1']);
  });

  it('clears all that wait', async () => {
    const { emulator, promptId } = await busy();
    for (let at = 0; at < 3; at += 1) await post(emulator, quick);
    expect((await call(emulator, 'GET', '/prompt')).body).toEqual({ exec_info: { queue_remaining: 4 } });
    await call(emulator, 'POST', '/queue', { clear: true });
    expect(await queue(emulator)).toEqual({ running: [promptId], pending: [] });
    expect((await call(emulator, 'POST', '/queue', '')).status).toBe(500);
  });
});

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

  it('of a job that is nobody’s is heard by everybody', async () => {
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

  it('puts videos under images with animated', async () => {
    const emulator = await openLocal();
    const video = {
      1: { class_type: 'EmptyLatentImage', inputs: { width: 64, height: 64, batch_size: 1 } },
      2: { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: 'scenery-v1.safetensors' } },
      3: { class_type: 'VAEDecode', inputs: { samples: ['1', 0], vae: ['2', 2] } },
      4: { class_type: 'SaveVideo', inputs: { images: ['3', 0], filename_prefix: 'clips/one', fps: 4 } },
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
