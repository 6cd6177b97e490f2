import * as E from 'fp-ts/lib/Either.js';
import { bringFiles, forgetRefusedFiles } from '../../../../src/server/queue/worker/servers/bring-files.js';
import { expect, it } from 'vitest';
import { serviceError } from '../../../../src/core/errors/service-error.js';
import type { ServiceError } from 'promptwire';

const hash = 'ab'.repeat(32);
const name = `promptwire-${hash}.png`;
const other = `promptwire-${'cd'.repeat(32)}.png`;
const loads = (...images: readonly unknown[]) =>
  Object.fromEntries(
    images.map((image, at) => [`${at + 1}`, { class_type: 'LoadImage', inputs: { image, scale: 2 } }]),
  );

/** The files of a queue, and servers that take them; each call is noted. */
const world = (kept: readonly string[] = [hash], refusal?: ServiceError) => {
  const calls: string[] = [];
  const on = new Map<string, unknown>();
  const bring = bringFiles({
    get: (asked) => {
      calls.push('read');
      const file = { bytes: new Uint8Array([1, 2]), mediaType: 'image/png' };
      return Promise.resolve((kept.includes(asked) ? file : undefined) as never);
    },
    valueOn: (server, asked) => Promise.resolve(on.get(`${server} ${asked}`) as never),
    noteOn: (server, asked, value) => {
      calls.push(`note ${server}`);
      on.set(`${server} ${asked}`, value);
      return Promise.resolve();
    },
  });
  const client = {
    rest: {
      uploadImage:
        ({ content, filename }: { readonly content: Blob; readonly filename: string }) =>
        async () => {
          calls.push(
            `upload ${filename} ${content.type} ${new Uint8Array(await content.arrayBuffer()).join()}`,
          );
          return refusal === undefined
            ? E.right({ name: `own-${filename}`, subfolder: 'in', type: 'input' })
            : E.left(refusal);
        },
    },
  } as never;
  return { bring: (workflow: object, server = 'attic') => bring(workflow as never, server, client), calls };
};

const upload = `upload ${name} image/png 1,2`;

it('sends a server each file that a workflow names, once, and names it as that server does', async () => {
  const { bring, calls } = world();
  const first = await bring(loads(name, name));
  expect(first).toEqual(E.right(loads(`in/own-${name}`, `in/own-${name}`)));
  expect(calls).toEqual(['read', upload, 'note attic']);
  expect(await bring(loads(name))).toEqual(E.right(loads(`in/own-${name}`)));
  expect(calls).toHaveLength(3);
  await bring(loads(name), 'cellar');
  expect(calls.slice(3)).toEqual(['read', upload, 'note cellar']);
});

it('sends a file once for jobs that begin together, and to each server', async () => {
  const { bring, calls } = world();
  await Promise.all([bring(loads(name)), bring(loads(name)), bring(loads(name), 'cellar')]);
  expect(calls.filter((call) => call === upload)).toHaveLength(2);
});

it('gives a workflow without files of the queue as it is', async () => {
  const { bring, calls } = world();
  const workflow = loads('photo.png');
  const brought = await bring(workflow);
  expect(E.isRight(brought) && brought.right).toBe(workflow);
  expect(calls).toEqual([]);
});

it('says which file the queue has not got any more', async () => {
  const { bring, calls } = world();
  expect(await bring(loads(name, other))).toMatchObject(
    E.left({ _tag: 'DownloadFailed', filename: other, message: expect.stringContaining(other) as string }),
  );
  expect(calls).toEqual(['read', upload, 'note attic', 'read']);
});

it('gives the refusal of a server that does not take a file, and sends it again the next time', async () => {
  const { bring, calls } = world([hash], serviceError('BadRequest', { message: 'No.', nodeErrors: {} }));
  for (const answer of [await bring(loads(name)), await bring(loads(name))])
    expect(answer).toMatchObject(E.left({ _tag: 'BadRequest' }));
  expect(calls).toEqual(['read', upload, 'read', upload]);
});

it('forgets the files at which a server refused a workflow, and no others', async () => {
  const calls: unknown[] = [];
  const forget = forgetRefusedFiles({
    forgetOn: (...call) => Promise.resolve(void calls.push(call)),
  });
  const refused = (...ids: readonly string[]) =>
    serviceError('BadRequest', {
      message: 'No.',
      nodeErrors: Object.fromEntries(
        ids.map((id) => [id, { classType: 'LoadImage', errors: [], dependentOutputs: [] }]),
      ),
    });
  const workflow = loads(name, 'photo.png', other) as never;
  expect(await forget(refused('2', '7'), workflow, 'attic')).toBe(false);
  expect(await forget(refused(), workflow, 'attic')).toBe(false);
  expect(await forget(serviceError('TooLarge', { message: 'No.' }), workflow, 'attic')).toBe(false);
  expect(calls).toEqual([]);
  expect(await forget(refused('1'), workflow, 'attic')).toBe(true);
  expect(await forget(refused('1', '3'), workflow, 'cellar')).toBe(true);
  expect(calls).toEqual([
    ['attic', [hash]],
    ['cellar', [hash, 'cd'.repeat(32)]],
  ]);
});
