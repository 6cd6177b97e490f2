import { expect, it } from 'vitest';
import { pack, unpack } from '../../../src/queue/store/pack.js';
import { randomUUID } from 'node:crypto';

it('gives back what it packed, integers beyond 2^53 included', () => {
  const workflow = { 1: { class_type: 'A', inputs: { seed: 2n ** 60n, text: 'ä' } } } as never;
  expect(unpack(pack({ workflow, extraData: { note: 1 } }))).toEqual({ workflow, extraData: { note: 1 } });
  expect(unpack(pack({ workflow }))).toEqual({ workflow, extraData: undefined });
});

it('refuses a credential by its name, and shows none of it', () => {
  const packing = (): Buffer =>
    pack({ workflow: {}, extraData: { note: 1, api_key_comfy_org: 'comfyui-secret' } });
  expect(packing).toThrow(
    expect.objectContaining({
      ...{ _tag: 'InvalidConfig', option: 'extraData', hint: expect.stringContaining('workers') as string },
      message: 'extraData holds a credential (api_key_comfy_org), which a queue never stores.',
    }),
  );
});

it('refuses a workflow of more than 1 MiB, compressed', () => {
  const large = (ids: number) => ({
    workflow: {
      1: { class_type: 'A', inputs: { noise: Array.from({ length: ids }, () => randomUUID()).join('') } },
    },
  });
  expect(() => pack(large(60_000))).toThrow(
    expect.objectContaining({
      ...{ _tag: 'TooLarge', hint: expect.stringContaining('files') as string },
      message: expect.stringMatching(/has \d+ bytes, compressed; a queue stores at most 1048576/u) as string,
    }),
  );
  expect(pack(large(40_000)).length).toBeLessThan(2 ** 20);
});
