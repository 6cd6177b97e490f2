import { describe, expect, it } from 'vitest';
import type { Switches } from '../../src/emulator.js';
import { call, listen, open, quick, submit, type Data } from './support.js';

describe('the profiles', () => {
  it('speak of the queue flat, or nested with the sid of the socket', async () => {
    const older = await listen(await open());
    const newer = await listen(await open({ profile: '2026' }));
    expect((await older.until('status')).data).toEqual({ queue_remaining: 0 });
    expect((await newer.until('status')).data).toEqual({
      status: { exec_info: { queue_remaining: 0 } },
      sid: 'test',
    });
  });

  it('let single switches differ', async () => {
    const emulator = await open({ profile: '2026', switches: { statusEvent: 'flat' } });
    expect((await (await listen(emulator)).until('status')).data).toEqual({ queue_remaining: 0 });
  });

  const lastExecuting = async (executingEnd: Switches['executingEnd']): Promise<Data[]> => {
    const emulator = await open({ switches: { executingEnd } });
    const listener = await listen(emulator);
    const promptId = await submit(emulator, quick);
    await listener.until('execution_success');
    await listener.until(
      'status',
      (data) => data['queue_remaining'] === 0 && data !== listener.heard[0]?.data,
    );
    emulator.inject('{"type":"over","data":{}}');
    await listener.until('over');
    return listener.heard
      .filter(({ type, data }) => type === 'executing' && data['display_node'] === undefined)
      .map(({ data }) => ({ ...data, isIts: data['prompt_id'] === promptId, prompt_id: '' }));
  };

  it.each([
    ['null', [{ node: null, prompt_id: '', isIts: true }]],
    ['empty', [{ node: '', prompt_id: '', isIts: true }]],
    ['absent', [{ prompt_id: '', isIts: true }]],
    ['never', []],
  ] as const)('end executing by %s', async (executingEnd, end) => {
    expect(await lastExecuting(executingEnd)).toEqual(end);
  });

  it('name the outputs of a video saver by switch', async () => {
    for (const videoKey of ['video', 'images'] as const) {
      const emulator = await open({ switches: { videoKey } });
      const listener = await listen(emulator);
      await submit(emulator, {
        '1': { class_type: 'EmptyLatentImage', inputs: { width: 64, height: 64, batch_size: 2 } },
        '2': { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: 'scenery-v1.safetensors' } },
        '3': { class_type: 'VAEDecode', inputs: { samples: ['1', 0], vae: ['2', 2] } },
        '4': { class_type: 'CreateVideo', inputs: { images: ['3', 0], fps: 8 } },
        '5': { class_type: 'SaveVideo', inputs: await saverInputs(emulator) },
      });
      const output = (await listener.until('executed')).data['output'] as Data;
      expect(Object.keys(output)).toEqual(videoKey === 'video' ? ['video'] : ['images', 'animated']);
      expect(JSON.stringify(output[videoKey])).toContain('.mp4');
    }
  });

  /** The saver's required inputs: the video by link, the rest by default. */
  const saverInputs = async (emulator: Awaited<ReturnType<typeof open>>): Promise<Data> => {
    const { body } = await call(emulator, 'GET', '/api/object_info/SaveVideo');
    const { required } = (body['SaveVideo'] as { input: { required: Record<string, [unknown, Data?]> } })
      .input;
    return Object.fromEntries(
      Object.entries(required).map(([name, [type, options]]) => [
        name,
        type === 'VIDEO' ? ['4', 0] : (options?.['default'] ?? (Array.isArray(type) ? type[0] : undefined)),
      ]),
    );
  };
});

describe('the handshake', () => {
  it('counts only as the first message; what is no JSON object does not spoil it', async () => {
    const emulator = await open();
    const patient = await listen(emulator);
    patient.socket.send('{');
    patient.socket.send('[1]');
    patient.socket.send('{"type":"feature_flags","data":{}}');
    expect((await patient.until('feature_flags')).data).toEqual({
      supports_preview_metadata: true,
      max_upload_size: 52_428_800,
    });

    const late = await listen(emulator);
    late.socket.send('{"type":"hello"}');
    late.socket.send('{"type":"feature_flags","data":{"supports_preview_metadata":true}}');
    late.socket.ping();
    await new Promise((resolve) => late.socket.once('pong', resolve));
    expect(late.heard.map(({ type }) => type)).toEqual(['status']);
  });

  it('announces the newer text layout where it is on', async () => {
    const listener = await listen(await open({ profile: '2026' }), { flags: {} });
    expect((await listener.until('feature_flags')).data['supports_progress_text_metadata']).toBe(true);
  });
});
