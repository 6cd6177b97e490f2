import { expect, it } from 'vitest';
import { defaultWorkflowBytes, pack as packWithin, unpack } from '../../../src/server/queue/store/pack.js';
import type { StoredWorkflow } from '../../../src/server/queue/store/job-store.js';
import { gzipSync } from 'node:zlib';
import { randomUUID } from 'node:crypto';

const pack = (stored: StoredWorkflow, most = defaultWorkflowBytes) => packWithin(stored, most);

it('gives back what it packed, integers beyond 2^53 included', async () => {
  const workflow = { 1: { class_type: 'A', inputs: { seed: 2n ** 60n, text: 'ä' } } } as never;
  const extraData = { note: 1 };
  expect(await unpack(await pack({ workflow, extraData }))).toEqual({ workflow, extraData });
  expect(await unpack(await pack({ workflow }))).toEqual({ workflow, extraData: undefined });
  expect(await unpack(await pack({ workflow, ephemeral: false }))).toEqual({ workflow });
  expect(await unpack(await pack({ workflow, ephemeral: true }))).toEqual({ workflow, ephemeral: true });
});

it('refuses a credential by its name, and shows none of it', async () => {
  const packing = pack({ workflow: {}, extraData: { note: 1, api_key_comfy_org: 'comfyui-secret' } });
  await expect(packing).rejects.toThrow(
    expect.objectContaining({
      ...{ _tag: 'InvalidConfig', option: 'extraData', hint: expect.stringContaining('workers') as string },
      message: 'extraData holds a credential (api_key_comfy_org), which a queue never stores.',
    }),
  );
});

const large = (ids: number) => ({
  workflow: {
    1: { class_type: 'A', inputs: { noise: Array.from({ length: ids }, () => randomUUID()).join('') } },
  },
});

it('N1 takes a workflow with some megabytes of pictures in it', async () => {
  expect((await pack(large(240_000))).length).toBeGreaterThan(4 * 2 ** 20);
});

it('N1 refuses a workflow above the bound, compressed, with the bound and its option', async () => {
  await expect(pack(large(600), 10_000)).rejects.toThrow(
    expect.objectContaining({
      ...{ _tag: 'TooLarge', hint: expect.stringContaining('raise maxWorkflowBytes') as string },
      message: expect.stringMatching(
        /has \d+ bytes, compressed; this queue stores at most 10000, the bound of maxWorkflowBytes/u,
      ) as string,
    }),
  );
  expect((await pack(large(400), 10_000)).length).toBeLessThan(10_000);
});

it('T6 refuses what is small compressed and large unpacked, before it is stored', async () => {
  const text = 'x'.repeat(50_000);
  await expect(pack({ workflow: { 1: { class_type: 'A', inputs: { text } } } }, 10_000)).rejects.toThrow(
    expect.objectContaining({
      ...{ _tag: 'TooLarge', hint: expect.stringContaining('raise maxWorkflowBytes') as string },
      message: expect.stringMatching(
        /has 500\d\d characters; this queue stores at most 40000, four times/u,
      ) as string,
    }),
  );
});

it('N1 takes a workflow of just as many characters as may be, and not one more', async () => {
  const filled = (text: string) => ({ workflow: { 1: { class_type: 'A', inputs: { text } } } });
  const around = JSON.stringify(filled('')).length;
  await expect(pack(filled('x'.repeat(40_000 - around)), 10_000)).resolves.toBeInstanceOf(Buffer);
  await expect(pack(filled('x'.repeat(40_001 - around)), 10_000)).rejects.toMatchObject({ _tag: 'TooLarge' });
});

it.each([
  ...['null', '7', '{}', '{"workflow":7}', '{"workflow":{"1":7}}', '{"workflow":{},"extraData":7}'],
  `{"workflow":{"1":{"class_type":"A","inputs":{"a":${'['.repeat(2_000)}${']'.repeat(2_000)}}}}}`,
])('T9 unpacks no workflow of a text that is none: %s', async (text) => {
  await expect(unpack(gzipSync(text))).rejects.toThrow('It is no workflow.');
});

it('T9 stops where what is small unpacks to more than a text may have', async () => {
  const member = gzipSync(Buffer.alloc(16 * 2 ** 20, 0x20));
  const bomb = Buffer.concat(Array.from({ length: 33 }, () => member));
  await expect(unpack(bomb)).rejects.toThrow(expect.objectContaining({ code: 'ERR_BUFFER_TOO_LARGE' }));
});
