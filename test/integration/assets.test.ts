import { describe, expect, it, onTestFinished } from 'vitest';
import { emulated, refusal, submit } from '../helpers/emulated.js';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { EmulatorOptions } from '../../src/emulator.js';
import { fileInput } from '../../src/workflow/file-input.js';
import { join } from 'node:path';
import { lastValueFrom } from 'rxjs';
import { outputFiles } from '../../src/core/state/output-files.js';
import { PNG } from 'pngjs';
import { rightOf } from '../helpers/http-connection.js';
import { setInput } from '../../src/workflow/edit/set-input.js';
import { tmpdir } from 'node:os';
import { toPromise } from '../../src/core/interop/to-promise.js';

const folder = async (): Promise<string> => {
  const dir = await mkdtemp(join(tmpdir(), 'promptwire-assets-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  return dir;
};

const speakingV2 = (options: EmulatorOptions = {}) =>
  emulated({ dialect: 'v2', ...options }, { dialect: 'v2' });

/** Two by two pixels: red, green, blue, white. */
const colours = (): Buffer => {
  const png = new PNG({ width: 2, height: 2 });
  png.data = Buffer.from([255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 255, 255]);
  return PNG.sync.write(png);
};

const inverted = {
  1: { class_type: 'LoadImage', inputs: { image: '' } },
  2: { class_type: 'ImageInvert', inputs: { image: ['1', 0] } },
  3: { class_type: 'SaveImage', inputs: { images: ['2', 0], filename_prefix: 'inverted' } },
};

describe('files of API v2', () => {
  it.each(['redirect', 'inline'] as const)(
    'go up once, through a job, and down byte by byte, with %s content',
    async (content) => {
      const { client, emulator } = await speakingV2({ switches: { content } });
      const dir = await folder();
      const path = join(dir, 'colours.png');
      await writeFile(path, colours());
      const first = await toPromise(client.rest.uploadImage(path));
      const again = await toPromise(client.rest.uploadImage({ content: colours(), filename: 'same.png' }));
      expect(again.asset?.hash).toBe(first.asset?.hash);
      const bodies = emulator.requests.filter(
        ({ method, url }) => method === 'POST' && url.endsWith('/api/v2/assets'),
      );
      expect(bodies).toHaveLength(1);

      const workflow = rightOf(setInput(inverted, '1', 'image', first));
      const outputs = await toPromise((await submit(client, workflow)).outputs);
      const { files } = await lastValueFrom(client.download(outputs, dir));
      expect(files).toMatchObject([{ verified: true, mediaType: 'image/png' }]);
      const { data } = PNG.sync.read(await readFile(files[0]!.path));
      expect([...data.subarray(0, 4)]).toEqual([0, 255, 255, 255]);

      const [file] = outputFiles(outputs);
      const twice = rightOf(setInput(inverted, '1', 'image', fileInput(file!)));
      const [back] = outputFiles(await toPromise((await submit(client, twice)).outputs));
      const bytes = await (await toPromise(client.rest.view(back!))).bytes();
      expect(PNG.sync.read(Buffer.from(bytes)).data.equals(PNG.sync.read(colours()).data)).toBe(true);

      const stored = emulator.requests.filter(({ origin }) => origin === 'storage');
      expect(stored.length > 0).toBe(content === 'redirect');
      expect(JSON.stringify(stored)).not.toContain(emulator.apiKey);
    },
  );

  it('says what API v2 has no form for', async () => {
    const { client } = await speakingV2();
    const source = { content: colours(), filename: 'a.png' };
    expect(await refusal(client.rest.uploadMask(source, { filename: 'a.png' }))).toMatchObject({
      _tag: 'NotSupported',
    });
    const file = { filename: 'a.png', asset: { id: 'a' } };
    expect(await refusal(client.rest.view(file, { res: 64 }))).toMatchObject({ _tag: 'NotSupported' });
  });

  it('is refused for a file that is too large, with the service still reading', async () => {
    const { client } = await speakingV2({ switches: { maxUploadBytes: 2 ** 20 } });
    const content = new Blob([new Uint8Array(16 * 2 ** 20)]);
    expect(await refusal(client.rest.uploadImage({ content, filename: 'large.bin' }))).toMatchObject({
      _tag: 'TooLarge',
      status: 413,
    });
  });
});
