import { expect, it } from 'vitest';
import { fakePlatform } from '../helpers/fake-platform.js';
import type { Files } from '../../src/core/platform/platform.js';
import { httpConnection, leftOf, rightOf } from '../helpers/http-connection.js';
import { openSource } from '../../src/core/http/upload-source.js';

const files = { open: () => Promise.resolve(new Blob(['of the disk'])) } as unknown as Files;

it('an upload takes bytes as they are at the moment, and a blob as it is', async () => {
  const connection = httpConnection(fakePlatform());
  const bytes = Uint8Array.from([1, 2, 3]);
  const opening = openSource(connection, { content: bytes, filename: 'a.png' });
  bytes.fill(0);
  const { content, filename } = rightOf(await opening);
  expect([filename, ...new Uint8Array(await content.arrayBuffer())]).toEqual(['a.png', 1, 2, 3]);
  const blob = new Blob(['x']);
  expect(rightOf(await openSource(connection, { content: blob, filename: 'b' })).content).toBe(blob);
});

it('an upload takes a path where there is a disk, and something that opens files', async () => {
  const opened = await openSource(httpConnection({ ...fakePlatform(), files }), '/folder/a.png');
  expect([rightOf(opened).filename, await rightOf(opened).content.text()]).toEqual(['a.png', 'of the disk']);
  for (const connection of [
    httpConnection(fakePlatform()),
    httpConnection({ ...fakePlatform(), files }, { openFile: undefined }),
  ])
    expect(leftOf(await openSource(connection, '/folder/a.png'))).toMatchObject({
      ...{ _tag: 'InvalidConfig', option: 'source' },
      message: expect.stringContaining('Pass { content, filename } instead.') as string,
    });
});
