import { describe, expect, it } from 'vitest';
import { emptyLatent, encodeLatent, type Latent } from '../../../../src/emulator/engine/values.js';
import { Interrupted, NodeFailure, type Picture } from '../../../../src/emulator/engine/node-class.js';
import { plainPicture, recordingContext, runNode } from '../run-node.js';

const conditioning = (text: string) => ({ kind: 'CONDITIONING', text });
const inputs = (more: Readonly<Record<string, unknown>> = {}) => ({
  model: { kind: 'MODEL', checkpoint: 'c' },
  seed: 1,
  steps: 3,
  cfg: 7,
  sampler_name: 'euler',
  scheduler: 'normal',
  positive: conditioning('a forest'),
  negative: conditioning(''),
  latent_image: emptyLatent(32, 24, 1),
  denoise: 1,
  ...more,
});

const run = async (more?: Readonly<Record<string, unknown>>): Promise<Latent> =>
  (await runNode('KSampler', inputs(more))).values[0] as Latent;

describe('KSampler', () => {
  it('keeps the size of the latent', async () => {
    expect(await run()).toMatchObject({
      kind: 'LATENT',
      width: 32,
      height: 24,
      grid: { width: 32, height: 24 },
    });
  });

  it('makes a different picture for each place of a batch, the first as alone', async () => {
    const { samples } = await run({ latent_image: emptyLatent(32, 24, 3) });
    expect(new Set(samples.map((sample) => sample.join())).size).toBe(3);
    expect(samples[0]).toEqual((await run()).samples[0]);
  });

  it('reads a seed that was written as text with all its digits', async () => {
    const [even, odd] = await Promise.all([
      run({ seed: '18446744073709551614' }),
      run({ seed: '18446744073709551615' }),
    ]);
    expect(even.samples).not.toEqual(odd.samples);
  });

  it('starts from the given picture when it denoises only in part', async () => {
    const given = (brightness: number): Latent => ({
      ...emptyLatent(32, 24, 1),
      samples: [encodeLatent(plainPicture(32, 24, [brightness, brightness, brightness]))],
    });
    const mean = ({ samples: [sample] }: Latent): number =>
      sample!.reduce((sum, value) => sum + value, 0) / sample!.length;
    const dark = mean(await run({ denoise: 0.4, latent_image: given(0) }));
    const bright = mean(await run({ denoise: 0.4, latent_image: given(255) }));
    expect(bright - dark).toBeCloseTo(0.6 * 255, 0);
  });

  it('hands on the latent as it is, without a step, when there is nothing to denoise', async () => {
    const context = recordingContext();
    const latent = emptyLatent(32, 24, 1);
    const result = await runNode('KSampler', inputs({ denoise: 0, latent_image: latent }), context);
    expect(result.values[0]).toBe(latent);
    expect(context.steps).toEqual([]);
  });

  it('encodes previews lazily, each of its own step', async () => {
    const context = recordingContext();
    await runNode('KSampler', inputs(), context);
    const [first, , last] = context.previews.map((preview) => preview());
    expect(first!.bytes).not.toEqual(last!.bytes);
  });

  it('stops where it is interrupted', async () => {
    const step = () => Promise.reject(new Interrupted());
    await expect(runNode('KSampler', inputs(), recordingContext({ step }))).rejects.toThrow(Interrupted);
  });

  it.each(['model', 'positive', 'negative', 'latent_image'])(
    'refuses a value of another kind as %s',
    async (name) => {
      await expect(runNode('KSampler', inputs({ [name]: 5 }))).rejects.toThrow(`input '${name}' is not a`);
    },
  );
});

const make = async (prompt: string, seed = 0) => {
  const context = recordingContext({ partnerKey: 'key' });
  const { values } = await runNode('PartnerImageNode', { prompt, seed }, context);
  return { context, picture: (values[0] as readonly Picture[])[0]! };
};

describe('PartnerImageNode', () => {
  it.each([undefined, ''])('is refused with the key %j, before any step', async (partnerKey) => {
    const context = recordingContext({ partnerKey });
    const error: unknown = await runNode('PartnerImageNode', { prompt: 'a', seed: 0 }, context).catch(
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(NodeFailure);
    expect(error).toMatchObject({
      exceptionType: 'Unauthorized',
      message: 'Unauthorized: please sign in to use this node.',
    });
    expect(context.steps).toEqual([]);
  });

  it('makes a picture with a key, and tells how it goes in words', async () => {
    const { context, picture } = await make('a city at night');
    expect([picture.width, picture.height, picture.rgb.length]).toEqual([384, 384, 384 * 384 * 3]);
    expect(context.steps).toHaveLength(4);
    expect(context.texts).toHaveLength(5);
    expect(context.texts.at(-1)).toBe('Status: completed');
  });

  it('makes the same picture for the same prompt and seed only', async () => {
    // A comparison of bytes: one of the items of a list takes a second for so many.
    const bytesOf = async (prompt: string, seed?: number) =>
      Buffer.from((await make(prompt, seed)).picture.rgb);
    const bytes = await bytesOf('a city');
    expect((await bytesOf('a city')).equals(bytes)).toBe(true);
    expect((await bytesOf('a city', 1)).equals(bytes)).toBe(false);
    expect((await bytesOf('a forest')).equals(bytes)).toBe(false);
  });
});
