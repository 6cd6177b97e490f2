import { readFile, writeFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { lastValueFrom } from 'rxjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { toPromise } from '../../src/core/interop/to-promise.js';
import { outputFiles } from '../../src/core/state/output-files.js';
import { emulated, picture, refusal, submit } from '../helpers/emulated.js';

const folder = async (): Promise<string> => {
  const dir = await mkdtemp(join(tmpdir(), 'promptwire-files-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  return dir;
};

/** Two by two pixels: red, green, blue, white. */
const colours = (): Buffer => {
  const png = new PNG({ width: 2, height: 2 });
  png.data = Buffer.from([255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 255, 255]);
  return PNG.sync.write(png);
};

const inverted = (name: string) => ({
  1: { class_type: 'LoadImage', inputs: { image: name } },
  2: { class_type: 'ImageInvert', inputs: { image: ['1', 0] } },
  3: { class_type: 'SaveImage', inputs: { images: ['2', 0], filename_prefix: 'inverted' } },
});

const bytesOf = async (body: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
};

describe.each(['interface', '2026'] as const)('files of the %s profile', (profile) => {
  it('are on disk byte by byte what the storage holds, and the key stays at home', async () => {
    const { client, emulator } = await emulated({ profile });
    const dir = await folder();
    const outputs = await toPromise((await submit(client, picture())).outputs);
    const { files, done, total, receivedBytes, expectedBytes } = await lastValueFrom(
      client.download(outputs, dir, { include: 'temp' }),
    );
    expect({ done, total }).toEqual({ done: true, total: 2 });
    expect(receivedBytes).toBe(expectedBytes);
    for (const { path, bytes, verified, ...file } of files) {
      const stored = await (await toPromise(client.rest.view(file))).bytes();
      expect(Buffer.compare(await readFile(path), stored)).toBe(0);
      expect({ bytes, verified }).toEqual({ bytes: stored.length, verified: true });
    }
    const fetched = emulator.requests.filter(({ origin }) => origin === 'storage');
    expect(fetched).toHaveLength(4);
    for (const { headers, url } of fetched) {
      expect(Object.keys(headers).toSorted()).toEqual(['accept', 'accept-encoding', 'connection', 'host']);
      expect(url + JSON.stringify(headers)).not.toContain(emulator.apiKey);
    }
  });

  it('are asked for again where the signed address has run out meanwhile', async () => {
    const { client, emulator, newClient } = await emulated({ profile });
    const outputs = await toPromise((await submit(client, picture())).outputs);
    const [file] = outputFiles(outputs);
    let expired = 0;
    const unlucky = newClient({}, ({ request }) => ({
      random: () => 0,
      request: async (sent) => {
        if (new URL(sent.url).origin !== emulator.storageUrl || expired === 2) return request(sent);
        expired += 1;
        emulator.answerOnce('GET', new URL(sent.url).pathname, {
          status: 400,
          body: '<Error><Code>ExpiredToken</Code></Error>',
        });
        return request(sent);
      },
    }));
    const { files } = await lastValueFrom(unlucky.download([file!], await folder()));
    expect(files).toMatchObject([{ filename: file!.filename, verified: true }]);
    const asked = emulator.requests.filter(({ url }) => url.startsWith('/api/view'));
    const signed = emulator.requests.filter(({ origin }) => origin === 'storage').map(({ url }) => url);
    expect(asked).toHaveLength(3);
    expect(new Set(signed).size).toBe(3);
  });

  it('fail with what the storage says where every address has run out', async () => {
    const { client, emulator, newClient } = await emulated({ profile, switches: { signedUrlMs: 0 } });
    const outputs = await toPromise((await submit(client, picture())).outputs);
    const [file] = outputFiles(outputs);
    const quick = newClient({}, () => ({ random: () => 0 }));
    await expect(lastValueFrom(quick.download([file!], await folder()))).rejects.toMatchObject({
      _tag: 'DownloadFailed',
      filename: file!.filename,
      status: 400,
    });
    expect(emulator.requests.filter(({ origin }) => origin === 'storage')).toHaveLength(4);
  });

  it('are uploaded from memory and from disk, and used by a workflow', async () => {
    const { client } = await emulated({ profile });
    const path = join(await folder(), 'colours.png');
    await writeFile(path, colours());
    const [fromMemory, fromDisk] = [
      await toPromise(client.rest.uploadImage({ content: colours(), filename: 'colours.png' })),
      await toPromise(client.rest.uploadImage(path)),
    ];
    expect(fromDisk.name).toBe(fromMemory.name);

    const outputs = await toPromise((await submit(client, inverted(fromMemory.name))).outputs);
    const [file] = outputFiles(outputs);
    const saved = PNG.sync.read(await bytesOf((await toPromise(client.rest.view(file!))).body));
    expect([...saved.data]).toEqual([0, 255, 255, 255, 255, 0, 255, 255, 255, 255, 0, 255, 0, 0, 0, 255]);
  });

  it('get a mask that becomes their transparency', async () => {
    const { client } = await emulated({ profile });
    const original = await toPromise(
      client.rest.uploadImage({ content: colours(), filename: 'colours.png' }),
    );
    const mask = new PNG({ width: 2, height: 2 });
    mask.data = Buffer.from([0, 0, 0, 0, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 0]);
    const masked = await toPromise(
      client.rest.uploadMask(
        { content: new Blob([new Uint8Array(PNG.sync.write(mask))]), filename: 'mask.png' },
        { filename: original.name, subfolder: original.subfolder, type: original.type },
      ),
    );
    const bytes = await bytesOf(
      (await toPromise(client.rest.view({ filename: masked.name, type: 'input' }))).body,
    );
    const { data } = PNG.sync.read(bytes);
    expect([3, 7, 11, 15].map((at) => data[at])).toEqual([0, 255, 255, 0]);
    expect([...data.subarray(4, 7)]).toEqual([0, 255, 0]);
  });

  it('G22: that do not exist are refused after four asks', { timeout: 20_000 }, async () => {
    const { client, emulator } = await emulated({ profile });
    expect(await refusal(client.rest.view({ filename: 'nothing.png' }))).toMatchObject({
      _tag: 'DownloadFailed',
      status: 404,
    });
    expect(emulator.requests).toHaveLength(4);
  });

  it('come directly and reduced where that is asked for', async () => {
    const { client, emulator } = await emulated({ profile });
    const [file] = outputFiles(await toPromise((await submit(client, picture())).outputs));
    const { body, mediaType } = await toPromise(client.rest.view(file!, { channel: 'rgb' }));
    expect(mediaType).toMatch(/^image\//);
    expect((await bytesOf(body)).length).toBeGreaterThan(0);
    expect(emulator.requests.filter(({ origin }) => origin === 'storage')).toHaveLength(0);
  });
});
