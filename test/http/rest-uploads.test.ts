import * as E from 'fp-ts/lib/Either.js';
import { describe, expect, it } from 'vitest';
import { createRest } from '../../src/core/http/rest.js';
import type { HttpRequest } from '../../src/core/platform/platform.js';
import { httpConnection, leftOf, rightOf } from '../helpers/http-connection.js';
import { setUpRest } from '../helpers/rest-calls.js';

describe('createRest: uploads', () => {
  const answer = { body: { name: 'stored.png', subfolder: '', type: 'input' } };
  const fields = async (request: HttpRequest | undefined): Promise<unknown[]> =>
    Promise.all(
      (request?.form ?? []).map(async (part) =>
        'value' in part ? [part.name, part.value] : [part.name, part.filename, await part.content.text()],
      ),
    );

  it('sends bytes and blobs with the fields that were asked for', async () => {
    const { rest, requests, asked } = setUpRest(() => answer);
    const content = new TextEncoder().encode('bytes');
    const running = rest.uploadImage({ content, filename: 'a.png' })();
    content.fill(0);
    expect(rightOf(await running)).toEqual({ name: 'stored.png', subfolder: '', type: 'input' });
    await rest.uploadImage(
      { content: new Blob(['blob']), filename: 'b.png' },
      { type: 'temp', subfolder: 's', overwrite: false },
    )();
    expect(await fields(requests[0])).toEqual([
      ['image', 'a.png', 'bytes'],
      ['type', 'input'],
    ]);
    expect(await fields(requests[1])).toEqual([
      ['image', 'b.png', 'blob'],
      ['type', 'temp'],
      ['subfolder', 's'],
      ['overwrite', 'false'],
    ]);
    expect(asked()).toEqual(['POST /api/upload/image', 'POST /api/upload/image']);
  });

  it('sends the original of a mask as JSON text', async () => {
    const { rest, requests, asked } = setUpRest(() => answer);
    await rest.uploadMask(
      { content: new Blob(['m']), filename: 'm.png' },
      { filename: 'o.png' },
      { overwrite: true },
    )();
    expect(await fields(requests[0])).toEqual([
      ['image', 'm.png', 'm'],
      ['original_ref', '{"filename":"o.png","subfolder":"","type":"output"}'],
      ['type', 'input'],
      ['overwrite', 'true'],
    ]);
    expect(asked()).toEqual(['POST /api/upload/mask']);
  });

  it('reads paths where there are files', async () => {
    const { platform } = setUpRest(() => answer);
    const files = {
      folder: (path: string) => Promise.resolve(path),
      create: () => Promise.reject(new Error('unused')),
      open: (path: string) =>
        path.includes('none')
          ? Promise.reject(Object.assign(new Error(path), { code: 'ENOENT' }))
          : Promise.resolve(new Blob(['disk'])),
    };
    const rest = createRest(httpConnection({ ...platform, files }));
    await rest.uploadImage('/home/me/cat.png')();
    expect((await fields(platform.requests[0]))[0]).toEqual(['image', 'cat.png', 'disk']);
    expect(leftOf(await rest.uploadImage('/none')())).toMatchObject({
      _tag: 'FileSystem',
      code: 'ENOENT',
      path: '/none',
    });
    const without = setUpRest(() => answer);
    expect(leftOf(await without.rest.uploadImage('/x')())).toMatchObject({
      _tag: 'InvalidConfig',
      option: 'source',
    });
  });

  it('E18: may be sent again: equal bytes get the same name', async () => {
    let count = 0;
    const { rest, platform } = setUpRest(() => ((count += 1) === 1 ? { status: 500 } : answer));
    const running = rest.uploadImage({ content: new Blob(['x']), filename: 'x' })();
    await platform.clock.advance(30_000);
    expect(E.isRight(await running)).toBe(true);
    expect(count).toBe(2);
  });
});
