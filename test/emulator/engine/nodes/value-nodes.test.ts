import { describe, expect, it } from 'vitest';
import { recordingContext, runNode, testPicture } from '../run-node.js';

const values = async (classType: string, inputs: Readonly<Record<string, unknown>>) =>
  (await runNode(classType, inputs)).values;

describe('CheckpointLoaderSimple', () => {
  it('hands out model, text encoder and decoder of one checkpoint', async () => {
    const checkpoint = 'scenery-v1.safetensors';
    expect(await values('CheckpointLoaderSimple', { ckpt_name: checkpoint })).toEqual([
      { kind: 'MODEL', checkpoint },
      { kind: 'CLIP', checkpoint },
      { kind: 'VAE', checkpoint },
    ]);
  });
});

describe('CLIPTextEncode', () => {
  it('carries the text', async () => {
    const clip = { kind: 'CLIP', checkpoint: 'c' };
    expect(await values('CLIPTextEncode', { text: 'a forest', clip })).toEqual([
      { kind: 'CONDITIONING', text: 'a forest' },
    ]);
  });

  it('needs a text encoder', async () => {
    await expect(values('CLIPTextEncode', { text: 'a', clip: { kind: 'VAE' } })).rejects.toThrow(
      "input 'clip' is not a CLIP",
    );
  });
});

describe('EmptyLatentImage', () => {
  it('has size and batch as asked for', async () => {
    const [latent] = await values('EmptyLatentImage', { width: 64, height: 32, batch_size: 2 });
    expect(latent).toMatchObject({ kind: 'LATENT', width: 64, height: 32, samples: { length: 2 } });
  });
});

describe('Passthrough', () => {
  it.each([5, 'text', undefined, [testPicture(1, 1)]])('hands on %j', async (anything) => {
    expect(await values('Passthrough', { anything })).toEqual([anything]);
  });
});

describe('NumberToText', () => {
  it.each([
    [{ number: 5 }, '5'],
    [{ number: 2.345, decimals: 2 }, '2.35'],
    [{ number: '7' }, '7'],
  ])('writes %j as %s', async (inputs, text) => {
    expect(await values('NumberToText', inputs)).toEqual([text]);
  });
});

describe('PromptStyler', () => {
  it.each([
    [{ text: 'a tower', style: 'at night', extras: ['city', 'ocean'] }, 'a tower, at night, city, ocean'],
    [{ text: 'a tower', style: 'none' }, 'a tower'],
    [{ text: '', style: 'at sunset' }, 'at sunset'],
  ])('joins %j to %s', async (inputs, text) => {
    expect(await values('PromptStyler', inputs)).toEqual([text]);
  });
});

describe('SamplerSelector', () => {
  it('hands out both names', async () => {
    expect(await values('SamplerSelector', { sampler_name: 'ddim', scheduler: 'karras' })).toEqual([
      'ddim',
      'karras',
    ]);
  });
});

describe('SplitWords', () => {
  it('makes a list of words', async () => {
    expect(await values('SplitWords', { text: '  a  b\nc ' })).toEqual([['a', 'b', 'c']]);
  });
});

describe('PreviewText', () => {
  it.each<[string, unknown, readonly string[]]>([
    ['text', 'héllo 日本', ['héllo 日本']],
    ['a list', ['a', 'b'], ['a', 'b']],
    ['a number', 5, ['5']],
    ['a seed', 5n, ['"5"']],
    ['pictures', [testPicture(3, 2)], ['picture 3 × 2']],
    ['a structure', { kind: 'MASK', bytes: new Uint8Array(4) }, ['{"kind":"MASK","bytes":"4 bytes"}']],
    ['nothing', undefined, ['']],
  ])('shows %s as progress text and as output', async (_, source, texts) => {
    const context = recordingContext();
    const result = await runNode('PreviewText', { source }, context);
    expect(context.texts).toEqual(texts);
    expect(result).toEqual({ values: [texts.join('\n')], ui: { text: texts } });
  });
});

describe('a node whose result is too large for the emulator', () => {
  it.each([
    ['EmptyLatentImage', { width: 16_384, height: 16_384, batch_size: 1 }],
    ['EmptyLatentImage', { width: 512, height: 512, batch_size: 4096 }],
    [
      'ImageScale',
      { image: [testPicture(2, 2)], width: 16_384, height: 16_384, upscale_method: 'area', crop: 'disabled' },
    ],
    ['EmptyAudio', { duration: 1e9, sample_rate: 44_100, channels: 2 }],
  ])('fails as one out of memory: %s', async (classType, inputs) => {
    await expect(runNode(classType, inputs)).rejects.toMatchObject({ exceptionType: 'OOMError' });
  });
});
