import assert from 'node:assert/strict';
import { expectStatus, fetchWhole } from '../api.js';
import type { ConformanceCase } from '../conformance-case.js';
import { signedUrl } from '../files.js';
import { runToEnd } from '../jobs.js';
import { blackPng, pngPixels, randomPng } from '../pictures.js';
import { filledText, object, text } from '../shape.js';
import type { Target } from '../target.js';

const rows = ['endpoint:POST /api/upload/image'];
const maskRows = ['endpoint:POST /api/upload/mask'];

/** Chapters 2.2 and 2.3: uploads. */
export const uploadCases: readonly ConformanceCase[] = [
  {
    id: '2.2.1',
    rows,
    title: 'answers name, subfolder and type',
    run: async (target) => {
      await upload(target, randomPng(8, 8));
    },
  },
  {
    id: '2.2.2',
    rows,
    title: 'the name works as an input at once',
    run: async (target) => {
      const { name } = await upload(target, randomPng(8, 8));
      assert.equal((await runToEnd(target, target.workflows.load(name))).state, 'completed');
    },
  },
  {
    id: '2.2.3',
    rows,
    title: 'equal bytes get the same name, others another',
    run: async (target) => {
      const picture = randomPng(8, 8);
      const first = await upload(target, picture, { filename: 'one.png' });
      const second = await upload(target, picture, { filename: 'two.png' });
      const other = await upload(target, randomPng(8, 8), { filename: 'one.png' });
      assert.equal(second.name, first.name);
      assert.notEqual(other.name, first.name);
    },
  },
  {
    id: '2.2.4',
    rows,
    title: 'type, overwrite and subfolder are accepted',
    run: async (target) => {
      const fields = { type: 'input', overwrite: 'true', subfolder: 'drafts' };
      assert.equal((await upload(target, randomPng(8, 8), { fields })).type, 'input');
      assert.equal((await upload(target, randomPng(8, 8), { fields: { type: 'temp' } })).type, 'temp');
    },
  },
  {
    id: '2.2.5',
    rows,
    title: 'a form without the file is answered 400',
    run: async (target) => {
      const body = new FormData();
      body.append('type', 'input');
      await expectStatus(400, target, 'POST', '/api/upload/image', { body });
    },
  },
  {
    id: '2.2.6',
    rows,
    title: 'more than 50 MB are answered 400',
    run: async (target) => {
      await expectStatus(400, target, 'POST', '/api/upload/image', tooLarge());
    },
  },
  {
    id: '2.2.7',
    rows,
    title: 'more than 16384 pixels an edge, or 67108864 in all, are answered 400',
    run: async (target) => {
      await upload(target, blackPng(16_384, 4096));
      for (const picture of [blackPng(16_385, 1), blackPng(1, 16_385), blackPng(16_384, 4097)]) {
        await expectStatus(400, target, 'POST', '/api/upload/image', { body: form(picture, {}) });
      }
    },
  },
  {
    id: '2.3.1',
    rows: maskRows,
    title: 'answers name, subfolder and type',
    run: async (target) => {
      await uploadMask(target);
    },
  },
  {
    id: '2.3.2',
    rows: maskRows,
    title: 'the name works as an input at once',
    run: async (target) => {
      const { name } = await uploadMask(target);
      assert.equal((await runToEnd(target, target.workflows.load(name))).state, 'completed');
    },
  },
  {
    id: '2.3.3',
    rows: maskRows,
    title: 'the alpha of the mask with the colours of the original',
    run: async (target) => {
      const original = randomPng(8, 8);
      const mask = randomPng(8, 8);
      const { name, type } = await uploadMask(target, original, mask);
      const url = await signedUrl(target, { filename: name, subfolder: '', type });
      const merged = pngPixels((await fetchWhole(url, {})).bytes);
      const expected = pngPixels(original).map(([r, g, b], index) => [r, g, b, pngPixels(mask)[index]?.[3]]);
      assert.deepEqual(merged, expected);
    },
  },
  {
    id: '2.3.4',
    rows: maskRows,
    title: 'a form without original_ref or without image is answered 400',
    run: async (target) => {
      const { name } = await upload(target, randomPng(8, 8));
      const withoutImage = new FormData();
      withoutImage.append('original_ref', JSON.stringify({ filename: name, type: 'input' }));
      for (const body of [form(randomPng(8, 8), {}), withoutImage]) {
        await expectStatus(400, target, 'POST', '/api/upload/mask', { body });
      }
    },
  },
];

interface Uploaded {
  readonly name: string;
  readonly type: string;
}

interface UploadRequest {
  readonly filename?: string;
  readonly fields?: Readonly<Record<string, string>>;
}

const upload = async (
  target: Target,
  bytes: Buffer,
  { filename, fields = { type: 'input' } }: UploadRequest = {},
): Promise<Uploaded> => {
  const body = form(bytes, fields, filename);
  return readUploaded(await expectStatus(200, target, 'POST', '/api/upload/image', { body }));
};

const uploadMask = async (
  target: Target,
  original = randomPng(8, 8),
  mask = randomPng(8, 8),
): Promise<Uploaded> => {
  const { name, type } = await upload(target, original);
  const body = form(mask, {
    original_ref: JSON.stringify({ filename: name, type }),
    type: 'input',
  });
  return readUploaded(await expectStatus(200, target, 'POST', '/api/upload/mask', { body }));
};

const readUploaded = (answer: { readonly json: () => unknown }): Uploaded => {
  const uploaded = object(answer.json(), 'the answer');
  text(uploaded['subfolder'], 'subfolder');
  return { name: filledText(uploaded['name'], 'name'), type: filledText(uploaded['type'], 'type') };
};

/** A form with a file of more than 50 MB, in one piece: to read one out of a `FormData` takes a second. */
const tooLarge = () => {
  const boundary = 'boundary-of-the-test';
  const body = Buffer.alloc(50 * 1024 * 1024 + 1024);
  body.write(
    `--${boundary}\r\nContent-Disposition: form-data; name="image"; filename="picture.png"\r\nContent-Type: image/png\r\n\r\n`,
  );
  const end = `\r\n--${boundary}--\r\n`;
  body.write(end, body.length - end.length);
  return { body, headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` } };
};

const form = (
  bytes: Buffer,
  fields: Readonly<Record<string, string>>,
  filename = 'picture.png',
): FormData => {
  const body = new FormData();
  body.append('image', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), filename);
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  return body;
};
