import { describe, expect, it } from 'vitest';
import { call, failing } from '../support.js';
import { openLocal, post, record, runLocal } from './support.js';

type Nodes = Record<string, unknown>;

const empty = { class_type: 'EmptyLatentImage', inputs: { width: 64, height: 64, batch_size: 1 } };
const model = { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: 'scenery-v1.safetensors' } };
const sampler = {
  class_type: 'KSampler',
  inputs: {
    ...{ model: ['m', 0], positive: ['t', 0], negative: ['t', 0], latent_image: ['e', 0], seed: 1, steps: 1 },
    ...{ cfg: 7, sampler_name: 'euler', scheduler: 'normal', denoise: 1 },
  },
};
const graph: Nodes = {
  e: empty,
  m: model,
  t: { class_type: 'CLIPTextEncode', inputs: { text: 'x', clip: ['m', 1] } },
  s: sampler,
  d: { class_type: 'VAEDecode', inputs: { samples: ['s', 0], vae: ['m', 2] } },
  o: { class_type: 'SaveImage', inputs: { images: ['d', 0], filename_prefix: 'x' } },
};

/** The picture's graph with other inputs of its sampler. */
const sampling = (inputs: Nodes): Nodes => ({
  ...graph,
  s: { ...sampler, inputs: { ...sampler.inputs, ...inputs } },
});

const refuse = async (prompt: unknown) => {
  const { status, body } = await post(await openLocal(), prompt);
  expect(status).toBe(400);
  return body as { error: Nodes; node_errors: Record<string, { errors: Nodes[] }> };
};

/** The only error of a node. */
const errorAt = async (prompt: Nodes, nodeId: string) => {
  const errors = (await refuse(prompt)).node_errors[nodeId]?.errors ?? [];
  expect(errors).toHaveLength(1);
  return errors[0];
};

describe('the words of a refusal as a whole', () => {
  it.each([
    [{ 1: { class_type: 'No' } }, 'Cannot execute because node No does not exist.'],
    [{ 1: { class_type: null } }, 'Cannot execute because node None does not exist.'],
    [{ 1: { inputs: {} } }, 'Cannot execute because a node is missing the class_type property.'],
    [{ 1: 'some text' }, 'Cannot execute because a node is missing the class_type property.'],
  ])('M11: of %j', async (prompt, message) => {
    const error = { type: 'invalid_prompt', message, details: "Node ID '#1'", extra_info: {} };
    expect(await refuse(prompt)).toEqual({ error, node_errors: {} });
  });

  it.each([{}, [], ''])('M11: of the empty workflow %j', async (prompt) => {
    const { error } = await refuse(prompt);
    expect(error).toMatchObject({ type: 'prompt_no_outputs', message: 'Prompt has no outputs', details: '' });
  });

  it('M11: without a workflow', async () => {
    const { bytes } = await call(await openLocal(), 'POST', '/prompt', {});
    const words = '"message": "No prompt provided", "details": "No prompt provided"';
    expect(bytes.toString()).toBe(
      `{"error": {"type": "no_prompt", ${words}, "extra_info": {}}, "node_errors": {}}`,
    );
  });

  it('M11: names what is wrong with output nodes in its details, and nothing of others', async () => {
    const atOutput = { ...graph, o: { class_type: 'SaveImage', inputs: { filename_prefix: 'x' } } };
    expect((await refuse(atOutput)).error).toMatchObject({
      message: 'Prompt outputs failed validation',
      details: 'Required input is missing: images',
    });
    expect((await refuse(sampling({ steps: 0 }))).error['details']).toBe('');
  });

  it.each([{ 1: 'a class_type' }, { 1: { class_type: [] } }, { 1: null }, 'text'])(
    'M11: is a 500 where the search for a class breaks off: %j',
    async (prompt) => {
      expect((await post(await openLocal(), prompt)).status).toBe(500);
    },
  );
});

describe('the words of a refused input', () => {
  it.each([
    ['steps', 'abc', 'invalid_input_type', "steps, abc, invalid literal for int() with base 10: 'abc'"],
    [
      'steps',
      null,
      'invalid_input_type',
      "steps, None, int() argument must be a string, a bytes-like object or a real number, not 'NoneType'",
    ],
    ['cfg', '1,5', 'invalid_input_type', "cfg, 1,5, could not convert string to float: '1,5'"],
    [
      'cfg',
      { a: true },
      'invalid_input_type',
      "cfg, {'a': True}, float() argument must be a string or a real number, not 'dict'",
    ],
    [
      'scheduler',
      true,
      'value_not_in_list',
      expect.stringMatching(/^scheduler: 'True' not in \['normal', /u) as unknown,
    ],
  ])('M11: %s = %j', async (name, value, type, details) => {
    expect(await errorAt(sampling({ [name]: value }), 's')).toMatchObject({ type, details });
  });

  it.each([
    ['steps', 0, 'Value 0 smaller than min of 1'],
    ['denoise', 2, 'Value 2.0 bigger than max of 1.0'],
    ['denoise', '-0.5', 'Value -0.5 smaller than min of 0.0'],
  ])('M11: %s = %j beyond a bound', async (name, value, message) => {
    expect(await errorAt(sampling({ [name]: value }), 's')).toMatchObject({ message, details: name });
  });

  it('M11: writes a number outside JSON as Python does', async () => {
    const emulator = await openLocal();
    const body = JSON.stringify({ prompt: sampling({ denoise: '-inf' }) });
    const answer = await fetch(`${emulator.baseUrl}/prompt`, { method: 'POST', body });
    const text = await answer.text();
    expect(text).toContain('"message": "Value -inf smaller than min of 0.0"');
    expect(text).toContain('"received_value": -Infinity');
  });

  it('M11: compares whole numbers of 64 bits with all their digits', async () => {
    const emulator = await openLocal();
    const send = (seed: string) =>
      call(
        emulator,
        'POST',
        '/prompt',
        `{"prompt": ${JSON.stringify(sampling({ seed: 'SEED' })).replace('"SEED"', seed)}}`,
      );
    expect((await send('18446744073709551615')).status).toBe(200);
    const beyond = (await send('18446744073709551616')).bytes.toString();
    expect(beyond).toContain('Value 18446744073709551616 bigger than max of 18446744073709551615');
    expect(beyond).toContain('"received_value": 18446744073709551616');
  });

  it('M11: names the types of a link as Python does', async () => {
    const prompt = {
      ...graph,
      o: { class_type: 'SaveImage', inputs: { images: ['e', 0], filename_prefix: '' } },
    };
    expect(await errorAt(prompt, 'o')).toMatchObject({
      details: 'images, received_type(LATENT) mismatch input_type(IMAGE)',
    });
  });

  it.each([
    [['gone', 0], 'KeyError', "'gone'"],
    [[1, 0], 'KeyError', '1'],
    [[null, 0], 'KeyError', 'None'],
    [[{}, 0], 'TypeError', "unhashable type: 'dict'"],
    [['d', 3], 'IndexError', 'tuple index out of range'],
    [['d', 'a'], 'TypeError', 'tuple indices must be integers or slices, not str'],
  ])('M11: the link %j breaks the check, with the frames of the exception', async (link, type, details) => {
    const prompt = {
      ...graph,
      o: { class_type: 'SaveImage', inputs: { images: link, filename_prefix: '' } },
    };
    const frame = expect.stringMatching(/^ {2}File ".+", line \d+, in \w+\n/u) as unknown;
    expect(await errorAt(prompt, 'o')).toEqual({
      type: 'exception_during_validation',
      message: 'Exception when validating node',
      details,
      extra_info: { exception_type: type, traceback: [frame, frame] },
    });
  });

  it("M11: a class's own check runs beside the others, and breaks without its input", async () => {
    const load = (inputs: Nodes): Nodes => ({
      l: { class_type: 'LoadImageMask', inputs },
      i: { class_type: 'MaskToImage', inputs: { mask: ['l', 0] } },
      o: { class_type: 'PreviewImage', inputs: { images: ['i', 0] } },
    });
    const { node_errors: both } = await refuse(load({ image: 'gone.png', channel: 'none' }));
    expect(both['l']?.errors.map(({ type }) => type).sort()).toEqual([
      'custom_validation_failed',
      'value_not_in_list',
    ]);
    expect(await errorAt(load({ channel: 'red' }), 'l')).toMatchObject({
      type: 'exception_during_inner_validation',
      details: "LoadImageMask.VALIDATE_INPUTS() missing 1 required positional argument: 'image'",
    });
  });

  it('M11: has none for a value that a choice in the newer notation does not offer', async () => {
    const styled = {
      1: { class_type: 'PromptStyler', inputs: { text: 'a', style: 'in no list' } },
      2: { class_type: 'PreviewText', inputs: { source: ['1', 0] } },
    };
    expect((await post(await openLocal(), styled)).status).toBe(200);
  });
});

/** In the order in which an engine writes them, before those of its state. */
const membersOfError = [
  ...['prompt_id', 'node_id', 'node_type', 'executed'],
  ...['exception_message', 'exception_type', 'traceback'],
] as const;

describe('execution_error of the local server', () => {
  it('M11: has its members in the order of the engine, and the frames without the exception', async () => {
    const { listener } = await runLocal(await openLocal(), failing('ValueError'));
    const { data } = await listener.until('execution_error');
    expect(Object.keys(data)).toEqual([
      ...membersOfError,
      ...['current_inputs', 'current_outputs', 'timestamp'],
    ]);
    const frames = data['traceback'] as readonly string[];
    expect(frames.length).toBeGreaterThan(0);
    for (const frame of frames) expect(frame).toMatch(/^ {2}File ".+", line \d+, in .+\n/u);
  });

  it('M11: of a blocked node has no time', async () => {
    const { listener } = await runLocal(await openLocal(), {
      1: { class_type: 'BlockBranch', inputs: { anything: 1, message: 'stop' } },
      2: { class_type: 'PreviewText', inputs: { source: ['1', 0] } },
    });
    const { data } = await listener.until('execution_error');
    expect(Object.keys(data)).toEqual([...membersOfError, ...['current_inputs', 'current_outputs']]);
  });
});

describe('whole numbers of 64 bits', () => {
  it('M11: are exact in object_info', async () => {
    const { bytes } = await call(await openLocal(), 'GET', '/object_info/KSampler');
    expect(bytes.toString()).toContain('"max": 18446744073709551615,');
  });

  it('M11: are exact in object_info of the hosted service', async () => {
    const { bytes } = await call(await openLocal({ dialect: 'cloud' }), 'GET', '/api/object_info/KSampler');
    expect(bytes.toString()).toContain('"max":18446744073709551615,');
  });

  it('M11: are exact in the record of a job, and in what a node failed on', async () => {
    const emulator = await openLocal();
    const text = JSON.stringify({ 1: { class_type: 'PreviewText', inputs: { source: 'N' } } });
    const prompt = `{"prompt": ${text.replace('"N"', '9007199254740993')}, "prompt_id": "p"}`;
    expect((await call(emulator, 'POST', '/prompt', prompt)).status).toBe(200);
    await runLocal(emulator, failing('ValueError'));
    expect((await call(emulator, 'GET', '/history/p')).bytes.toString()).toContain('9007199254740993');
    expect(await record(emulator, 'p')).toMatchObject({ status: { status_str: 'success' } });
  });
});
