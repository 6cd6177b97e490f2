import { describe, expect, it } from 'vitest';
import { NodeFailure, type Picture } from '../../../../src/emulator/engine/node-class.js';
import { recordingContext, runNode } from '../run-node.js';

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
    const { picture } = await make('a city');
    expect((await make('a city')).picture).toEqual(picture);
    expect((await make('a city', 1)).picture).not.toEqual(picture);
    expect((await make('a forest')).picture).not.toEqual(picture);
  });
});
