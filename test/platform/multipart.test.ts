import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { multipart } from '../../src/platform/multipart.js';
import type { FormPart } from '../../src/socket/platform.js';

const read = async (parts: readonly FormPart[]): Promise<FormData> => {
  const { body, contentType } = multipart(parts, 'edge-1');
  return new Response(body, { headers: { 'content-type': contentType } }).formData();
};

describe('multipart', () => {
  it('writes texts and files as a form that others read', async () => {
    const form = await read([
      { name: 'type', value: 'input' },
      { name: 'image', filename: 'ü "x"\r\n.png', content: new Blob(['a\nb'], { type: 'image/png' }) },
    ]);
    expect(form.get('type')).toBe('input');
    const file = form.get('image') as File;
    expect([file.type, await file.text()]).toEqual(['image/png', 'a\nb']);
    expect(file.name).toBe('ü "x"\r\n.png');
  });

  it('keeps line breaks and quotes of a name from ending its header', async () => {
    const { body } = multipart([{ name: 'a"\r\nx: y\r\n\r\n', value: 'v' }], 'edge');
    expect(await body.text()).toBe(
      '--edge\r\ncontent-disposition: form-data; name="a%22%0D%0Ax: y%0D%0A%0D%0A"\r\n\r\nv\r\n--edge--\r\n',
    );
  });

  it('law: what was written is read, byte by byte', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array(), fc.string(), async (bytes, value) => {
        const form = await read([
          { name: 'f', filename: 'f', content: new Blob([new Uint8Array(bytes)]) },
          { name: 'v', value },
        ]);
        expect(new Uint8Array(await (form.get('f') as File).arrayBuffer())).toEqual(new Uint8Array(bytes));
        expect(form.get('v')).toBe(value.replace(/\r\n?|\n/gu, '\r\n'));
      }),
      { numRuns: 1000 },
    );
  });
});
