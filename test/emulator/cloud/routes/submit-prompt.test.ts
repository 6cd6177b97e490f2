import { call, endless, listen, open, quick, runToEnd, submit } from '../../support.js';
import { describe, expect, it } from 'vitest';
import { textToImageWorkflow } from '../../../../src/emulator.js';

const errorOf = (body: Record<string, unknown>): Record<string, unknown> =>
  body['error'] as Record<string, unknown>;

describe('POST /api/prompt', () => {
  it('accepts a workflow and answers id, number and no node errors', async () => {
    const emulator = await open();
    const first = await call(emulator, 'POST', '/api/prompt', { prompt: quick });
    const second = await call(emulator, 'POST', '/api/prompt', { prompt: quick });
    expect(first.status).toBe(200);
    expect(first.body).toEqual({
      prompt_id: expect.stringMatching(
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      ) as string,
      number: 1,
      node_errors: {},
    });
    expect(second.body['number']).toBe(2);
    expect(second.body['prompt_id']).not.toBe(first.body['prompt_id']);
  });

  it.each([
    ['text that is no JSON', '{', undefined],
    ['a list', '[]', undefined],
    ['no prompt', { client_id: 'x' }, 'no_prompt'],
    ['an empty prompt', { prompt: {} }, 'prompt_no_outputs'],
    ['a prompt that is no object', { prompt: 'text' }, 'invalid_prompt'],
    ['the format of the editor', { prompt: { nodes: [], links: [], version: 0.4 } }, 'invalid_prompt'],
    ['an unknown class', { prompt: { '1': { class_type: 'Nothing', inputs: {} } } }, 'invalid_prompt'],
    ['a node without a class', { prompt: { '1': { inputs: {} } } }, 'invalid_prompt'],
  ])('refuses %s with 400', async (_case, body, type) => {
    const answer = await call(await open(), 'POST', '/api/prompt', body);
    expect(answer.status).toBe(400);
    if (type === undefined) expect(answer.body['code']).toBe('BAD_REQUEST');
    else expect(errorOf(answer.body)['type']).toBe(type);
  });

  it('names the missing class the newer way by switch', async () => {
    const emulator = await open({ profile: '2026' });
    const prompt = { '1': { class_type: 'Nothing', inputs: {}, _meta: { title: 'Mine' } } };
    const { status, body } = await call(emulator, 'POST', '/api/prompt', { prompt });
    expect(status).toBe(400);
    expect(errorOf(body)).toMatchObject({
      type: 'missing_node_type',
      extra_info: { node_id: '1', class_type: 'Nothing', node_title: 'Mine' },
    });
  });

  it('refuses a body beyond the limit with 413', async () => {
    const emulator = await open({ switches: { maxPromptBytes: 100 } });
    const { status, body } = await call(emulator, 'POST', '/api/prompt', {
      prompt: quick,
      pad: 'x'.repeat(200),
    });
    expect([status, body['code']]).toEqual([413, 'REQUEST_TOO_LARGE']);
  });

  it('fails with 500 on request', async () => {
    const body = { prompt: quick, extra_data: { emulate: { status: 500 } } };
    const answer = await call(await open(), 'POST', '/api/prompt', body);
    expect([answer.status, answer.body['code']]).toEqual([500, 'INTERNAL_ERROR']);
  });

  it('accepts what is valid and tells of the rest', async () => {
    const emulator = await open();
    const prompt = {
      '1': { class_type: 'SlowNode', inputs: { steps: 1 } },
      '2': { class_type: 'SlowNode', inputs: {} },
    };
    const { status, body } = await call(emulator, 'POST', '/api/prompt', { prompt });
    expect(status).toBe(200);
    expect(body['node_errors']).toMatchObject({
      '2': { class_type: 'SlowNode', dependent_outputs: ['2'], errors: [{ type: 'required_input_missing' }] },
    });
    const listener = await listen(emulator);
    const promptId = await submit(emulator, prompt);
    await listener.until('execution_success', (data) => data['prompt_id'] === promptId);
    const mine = listener.heard.filter(({ data }) => data['prompt_id'] === promptId);
    expect(mine.filter(({ type }) => type === 'executed').map(({ data }) => data['node'])).toEqual(['1']);
  });

  it('refuses at pick-up by switch: an event with the refusal embedded, and a failed job', async () => {
    const emulator = await open({ switches: { validation: 'at pick-up' } });
    const { heard, promptId } = await runToEnd(emulator, { '1': { class_type: 'SlowNode', inputs: {} } });
    const error = heard.find(({ type }) => type === 'execution_error')?.data ?? {};
    expect(error).toMatchObject({ exception_type: 'ValidationError', node_id: null, node_type: null });
    const message = String(error['exception_message']);
    expect(message.startsWith('{')).toBe(false);
    expect(JSON.parse(message.slice(message.indexOf('{')))).toMatchObject({
      error: { type: 'prompt_outputs_failed_validation' },
      node_errors: { '1': { errors: [{ type: 'required_input_missing' }] } },
    });
    expect(heard.map(({ type }) => type)).not.toContain('execution_start');
    const { body } = await call(emulator, 'GET', `/api/job/${promptId}/status`);
    expect(body['status']).toBe('failed');
    expect(JSON.parse(String(body['error_message']))).toMatchObject({ exception_message: message });
  });

  it('refuses without credits or plan, as each profile has it, until that changes', async () => {
    const older = await open({ billing: 'no credits' });
    const newer = await open({ billing: 'inactive', profile: '2026' });
    const post = (emulator: typeof older) => call(emulator, 'POST', '/api/prompt', { prompt: quick });
    const broke = await post(older);
    expect([broke.status, errorOf(broke.body)['type']]).toEqual([402, 'PAYMENT_REQUIRED']);
    older.setBilling('inactive');
    const lapsed = await post(older);
    expect([lapsed.status, errorOf(lapsed.body)['type']]).toEqual([429, 'CLOUD_SUBSCRIPTION_REQUIRED']);
    older.setBilling('active');
    expect((await post(older)).status).toBe(200);
    expect((await post(newer)).status).toBe(402);
  });

  it('refuses the job after the last that may wait', async () => {
    const emulator = await open({ speed: 20, concurrency: 1, switches: { queueLimit: 2 } });
    for (let count = 0; count < 3; count += 1) await submit(emulator, endless);
    const full = await call(emulator, 'POST', '/api/prompt', { prompt: endless });
    expect([full.status, errorOf(full.body)['type']]).toEqual([429, 'QUEUE_LIMIT']);
  });

  it('sends the events to every socket of the key, and to no other', async () => {
    const emulator = await open({ acceptKeys: ['one', 'two'] });
    const [mine, alsoMine, other] = [
      await listen(emulator),
      await listen(emulator),
      await listen(emulator, { token: 'two' }),
    ];
    const prompt = textToImageWorkflow({ width: 64, height: 64, steps: 1 });
    const promptId = await submit(emulator, prompt);
    const isIts = (data: Record<string, unknown>): boolean => data['prompt_id'] === promptId;
    await mine.until('execution_success', isIts);
    await alsoMine.until('execution_success', isIts);
    expect(other.heard.map(({ type }) => type)).toEqual(['status']);
  });
});
