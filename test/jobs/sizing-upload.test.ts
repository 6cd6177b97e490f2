import * as E from 'fp-ts/lib/Either.js';
import { expect, it } from 'vitest';
import { sizingUpload } from '../../src/client/jobs/sizing-upload.js';
import type { Rest } from '../../src/core/http/rest.js';
import { serviceError } from '../../src/core/errors/service-error.js';

/** An upload that the service answers so, and what it shows of the picture. */
const uploaded = async (
  source: Parameters<Rest['uploadImage']>[0],
  answer: Awaited<ReturnType<ReturnType<Rest['uploadImage']>>>,
) => {
  const shown: (readonly [string, number])[] = [];
  const upload = sizingUpload(() => () => Promise.resolve(answer), {
    plan: () => undefined,
    uploaded: (name, head) => shown.push([name, head.length]),
  });
  expect(await upload(source)()).toBe(answer);
  return shown;
};

const named = (subfolder: string) => E.right({ name: 'a.png', subfolder, type: 'input' });
const content = new Uint8Array(70_000);

it('shows the first bytes of a picture that was uploaded, by the name of a workflow', async () => {
  const source = { content, filename: 'b.png' };
  expect(await uploaded(source, named(''))).toEqual([['a.png', 65_536]]);
  const blob = { content: new Blob([content.subarray(0, 9)]), filename: 'b.png' };
  expect(await uploaded(blob, named('folder'))).toEqual([['folder/a.png', 9]]);
});

it('shows nothing of a file on the disk, of a refused one, and of one that can not be read any more', async () => {
  expect(await uploaded('b.png', named(''))).toEqual([]);
  const refused = E.left(serviceError('Aborted', { message: 'The caller gave up.', sent: false }));
  expect(await uploaded({ content, filename: 'b.png' }, refused)).toEqual([]);
  class Gone extends Blob {
    override slice(): Blob {
      return { arrayBuffer: () => Promise.reject(new Error('gone')) } as Partial<Blob> as Blob;
    }
  }
  expect(await uploaded({ content: new Gone(), filename: 'b.png' }, named(''))).toEqual([]);
});
