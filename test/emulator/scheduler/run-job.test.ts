import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { textToImageWorkflow } from '../../../src/emulator.js';
import { call, ended, endless, failing, listen, open, runToEnd, submit, type Received } from '../support.js';

const small = textToImageWorkflow({ width: 64, height: 64, steps: 2 });

const words = (heard: readonly Received[]): string[] =>
  heard.map(({ type, data }) => {
    const node = data['node'] ?? (data['nodes'] && type === 'execution_cached' ? data['nodes'] : undefined);
    return node === undefined ? type : `${type} ${JSON.stringify(node)}`;
  });

describe('a run', () => {
  it('tells its events in order, previews of type 1 after progress without a handshake', async () => {
    const emulator = await open();
    const { heard, promptId } = await runToEnd(emulator, small);
    const plain = (node: string, ...rest: string[]): string[] => [
      'progress_state',
      `executing "${node}"`,
      ...rest,
      'progress_state',
    ];
    const step = ['progress_state', 'progress "3"', 'binary:1'];
    expect(words(heard)).toEqual([
      'status',
      'status',
      'notification',
      'status',
      'notification',
      'execution_start',
      'execution_cached []',
      ...['4', '5', '7', '6'].flatMap((node) => plain(node)),
      ...plain('3', ...step, ...step),
      ...plain('8'),
      ...plain('9', 'executed "9"'),
      ...plain('10', 'executed "10"'),
      'execution_success',
      'status',
      'executing',
    ]);
    const counts = heard.filter(({ type }) => type === 'status').map(({ data }) => data['queue_remaining']);
    expect(counts).toEqual([0, 1, 1, 0]);
    const named = heard.filter(({ type }) => !/status|notification|binary/.test(type));
    expect(new Set(named.map(({ data }) => data['prompt_id']))).toEqual(new Set([promptId]));
    expect(heard.find(({ type }) => type === 'execution_success')?.data['timestamp']).toEqual(
      expect.any(Number),
    );
    expect(heard.at(-1)?.data).toEqual({ node: null, prompt_id: promptId });
  });

  it('sends previews of type 4 before progress after a handshake, as pictures', async () => {
    const emulator = await open();
    const listener = await listen(emulator, { flags: { supports_preview_metadata: true } });
    const promptId = await submit(emulator, small);
    await ended(listener, promptId);
    const kinds = words(listener.heard).filter((word) => /binary|^progress "/.test(word));
    expect(kinds).toEqual(['binary:4', 'progress "3"', 'binary:4', 'progress "3"']);
    const preview = await listener.until('binary:4');
    expect(preview.data).toEqual({
      node_id: '3',
      display_node_id: '3',
      real_node_id: '3',
      parent_node_id: null,
      prompt_id: promptId,
      image_type: 'image/jpeg',
    });
    expect(preview.bytes?.subarray(0, 3)).toEqual(Buffer.of(0xff, 0xd8, 0xff));
  });

  it('tells progress as a growing snapshot', async () => {
    const { heard, promptId } = await runToEnd(await open(), small);
    const states = heard.filter(({ type }) => type === 'progress_state').map(({ data }) => data['nodes']);
    expect(states[0]).toEqual({
      '4': {
        value: 0,
        max: 1,
        state: 'running',
        node_id: '4',
        prompt_id: promptId,
        display_node_id: '4',
        parent_node_id: null,
        real_node_id: '4',
      },
    });
    expect(Object.keys(states.at(-1) as object)).toEqual(['3', '4', '5', '6', '7', '8', '9', '10']);
    expect(states.at(-1)).toMatchObject({ '3': { value: 2, max: 2, state: 'finished' } });
  });

  it('answers a repeated workflow from the cache, with the same files', async () => {
    const emulator = await open();
    const first = await runToEnd(emulator, small);
    const second = await runToEnd(emulator, small);
    expect(words(second.heard).slice(5)).toEqual([
      'execution_start',
      'execution_cached ["3","4","5","6","7","8","9","10"]',
      'executed "9"',
      'progress_state',
      'executed "10"',
      'progress_state',
      'execution_success',
      'status',
      'executing',
    ]);
    const files = (heard: readonly Received[]): unknown[] =>
      heard.filter(({ type }) => type === 'executed').map(({ data }) => data['output']);
    expect(files(second.heard)).toEqual(files(first.heard));
  });

  it('runs only what changed', async () => {
    const emulator = await open();
    await runToEnd(emulator, small);
    const { heard } = await runToEnd(
      emulator,
      textToImageWorkflow({ width: 64, height: 64, steps: 2, seed: 5 }),
    );
    expect(words(heard).filter((word) => /^execut(ing "|ion_cached)/.test(word))).toEqual([
      'execution_cached ["4","5","6","7"]',
      'executing "3"',
      'executing "8"',
      'executing "9"',
      'executing "10"',
    ]);
  });

  it('keeps the results of the latest workflow only', async () => {
    const emulator = await open();
    const other = { '1': { class_type: 'PreviewText', inputs: { source: 'hello' } } };
    await runToEnd(emulator, small);
    await runToEnd(emulator, other);
    const { heard } = await runToEnd(emulator, small);
    expect(heard.find(({ type }) => type === 'execution_cached')?.data['nodes']).toEqual([]);
  });

  it('shows a finished branch before it begins the next one', async () => {
    const { heard } = await runToEnd(await open(), {
      '1': { class_type: 'EmptyLatentImage', inputs: { width: 16, height: 16, batch_size: 1 } },
      '2': { class_type: 'EmptyLatentImage', inputs: { width: 32, height: 16, batch_size: 1 } },
      '3': { class_type: 'PreviewText', inputs: { source: ['1', 0] } },
      '4': { class_type: 'PreviewText', inputs: { source: ['2', 0] } },
    });
    const ran = words(heard).filter((word) => /^executing "/.test(word));
    expect(ran).toEqual(['executing "1"', 'executing "3"', 'executing "2"', 'executing "4"']);
  });

  it('reports a block at each direct consumer and at no node behind it', async () => {
    const { heard } = await runToEnd(await open(), {
      '1': { class_type: 'SlowNode', inputs: { steps: 1 } },
      '2': { class_type: 'BlockBranch', inputs: { anything: ['1', 0], message: 'no further' } },
      '3': { class_type: 'BlockBranch', inputs: { anything: ['2', 0], message: 'never said', block: false } },
      '4': { class_type: 'PreviewText', inputs: { source: ['3', 0] } },
      '5': { class_type: 'PreviewText', inputs: { source: ['2', 0] } },
    });
    const blocked = heard.filter(({ type }) => type === 'execution_error').map(({ data }) => data['node_id']);
    expect([...blocked].sort()).toEqual(['3', '5']);
  });

  it('keeps the caches of two keys apart', async () => {
    const emulator = await open({ acceptKeys: ['one', 'two'] });
    await runToEnd(emulator, small);
    const listener = await listen(emulator, { token: 'two' });
    await call(emulator, 'POST', '/api/prompt', { prompt: small }, { 'x-api-key': 'two' });
    expect((await listener.until('execution_cached')).data['nodes']).toEqual([]);
  });

  it('runs only the outputs that were asked for', async () => {
    const { heard } = await runToEnd(await open(), small, { partial_execution_targets: ['10'] });
    expect(words(heard).filter((word) => word.startsWith('executed'))).toEqual(['executed "10"']);
  });

  it.each(['ModelDownloadError', 'ImageDownloadError', 'OOMError', 'ValueError'])(
    'fails with %s',
    async (type) => {
      const emulator = await open();
      const { heard, promptId } = await runToEnd(emulator, failing(type));
      const error = heard.find((message) => message.type === 'execution_error');
      expect(error?.data).toMatchObject({
        prompt_id: promptId,
        node_id: '1',
        node_type: 'FailOnPurpose',
        executed: [],
        exception_type: type,
        exception_message: 'as ordered\n',
        current_inputs: { message: ['as ordered'], exception_type: [type] },
        timestamp: expect.any(Number) as number,
      });
      expect(words(heard).slice(-3)).toEqual(['execution_error', 'status', 'executing']);
      const { body } = await call(emulator, 'GET', `/api/job/${promptId}/status`);
      expect(body['status']).toBe('failed');
      expect(JSON.parse(String(body['error_message']))).toMatchObject({ exception_type: type, node_id: '1' });
    },
  );

  it('goes on around a blocked branch', async () => {
    const emulator = await open();
    const { heard, promptId } = await runToEnd(emulator, {
      '1': { class_type: 'SlowNode', inputs: { steps: 1 } },
      '2': { class_type: 'BlockBranch', inputs: { anything: ['1', 0], message: 'no further' } },
      '3': { class_type: 'PreviewText', inputs: { source: ['2', 0] } },
    });
    const blocked = heard.find(({ type }) => type === 'execution_error');
    expect(blocked?.data).toMatchObject({
      exception_type: 'ExecutionBlocked',
      exception_message: 'Execution Blocked: no further',
      node_id: '3',
      node_type: 'PreviewText',
      executed: ['1', '2'],
      traceback: [],
    });
    expect(blocked?.data).not.toHaveProperty('timestamp');
    expect(words(heard)).toContain('executing "3"');
    expect(words(heard)).not.toContain('executed "3"');
    expect(words(heard)).toContain('execution_success');
    const { body } = await call(emulator, 'GET', `/api/history_v2/${promptId}`);
    expect(body['status']).toMatchObject({ status_str: 'success', completed: true });
  });

  it('sends text in the older layout, and in the newer one where both sides know it', async () => {
    const text = { '1': { class_type: 'PreviewText', inputs: { source: 'hello' } } };
    const older = await open();
    const { heard } = await runToEnd(older, text);
    expect(heard.find(({ type }) => type === 'binary:3')?.bytes?.toString('latin1')).toBe('\0\0\0\x011hello');

    const newer = await open({ profile: '2026' });
    const listener = await listen(newer, { flags: { supports_progress_text_metadata: true } });
    const deaf = await listen(newer);
    const promptId = await submit(newer, text);
    expect((await listener.until('binary:3')).bytes?.toString('latin1')).toBe(
      `\0\0\0\x24${promptId}\0\0\0\x011hello`,
    );
    expect((await deaf.until('binary:3')).bytes?.toString('latin1')).toBe('\0\0\0\x011hello');
  });

  it('hands the partner key to the node that needs it', async () => {
    const emulator = await open();
    const workflow = {
      '1': { class_type: 'PartnerImageNode', inputs: { prompt: 'a hill', seed: 1 } },
      '2': { class_type: 'PreviewImage', inputs: { images: ['1', 0] } },
    };
    const without = await runToEnd(emulator, workflow);
    expect(words(without.heard)).toContain('execution_error');
    const paid = await runToEnd(emulator, workflow, { extra_data: { api_key_partner_org: 'partner' } });
    expect(words(paid.heard)).toContain('execution_success');
  });

  it('loses the worker on request: no terminal event, and only the status tells', async () => {
    const emulator = await open({ profile: '2026' });
    const listener = await listen(emulator);
    const promptId = await submit(emulator, endless, { extra_data: { emulate: { end: 'lost' } } });
    await listener.until('execution_start');
    const remaining = { exec_info: { queue_remaining: 0 } };
    const greeting = listener.heard[0]?.data;
    await listener.until(
      'status',
      (data) => data !== greeting && isDeepStrictEqual(data['status'], remaining),
    );
    expect(words(listener.heard).slice(-2)).toEqual(['execution_start', 'status']);
    expect((await call(emulator, 'GET', `/api/job/${promptId}/status`)).body['status']).toBe('lost');
  });

  it('is not disturbed by ids such as __proto__', async () => {
    const emulator = await open();
    const workflow = JSON.parse(`{
      "__proto__": { "class_type": "SlowNode", "inputs": { "steps": 1 } },
      "constructor": { "class_type": "PreviewText", "inputs": { "source": ["__proto__", 0] } }
    }`) as object;
    const { promptId } = await runToEnd(emulator, workflow);
    const { bytes } = await call(emulator, 'GET', `/api/history_v2/${promptId}`);
    const outputs = (JSON.parse(bytes.toString()) as { outputs: object }).outputs;
    expect(Object.keys(outputs)).toEqual(['__proto__', 'constructor']);
  });
});
