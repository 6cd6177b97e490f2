import { describe, expect, it } from 'vitest';
import { call, quick, type Data } from '../support.js';
import { busy, queue, openLocal, post, record } from './support.js';

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
  ])('for %s is a server error', async (text) => {
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
    expect([status, bytes.toString()]).toEqual([
      413,
      expect.stringMatching(/^Maximum request body size 50 exceeded, actual body size \d+$/u),
    ]);
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
    const answer = await call(emulator, 'POST', '/queue', { delete: ['waits', promptId, 'unknown'] });
    expect([answer.status, answer.bytes.length]).toEqual([200, 0]);
    expect(await queue(emulator)).toEqual({ running: [promptId], pending: [] });
    expect((await call(emulator, 'GET', '/history/waits')).bytes.toString()).toBe('{}');
    await listener.settle();
    expect(listener.heard.filter(({ text }) => text.includes('waits'))).toEqual([]);
    const told = listener.heard.filter(({ type }) => type === 'status').map(({ text }) => text.at(-5));
    // The queue is sent once on its submission and twice on its removal, since it was the last one.
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
