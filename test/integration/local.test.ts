import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { PNG } from 'pngjs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lastValueFrom, toArray } from 'rxjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../src/node.js';
import { startEmulator } from '../../src/emulator.js';
import { toPromise } from '../../src/core/interop/to-promise.js';
import { outputFiles } from '../../src/core/state/output-files.js';
import { failing, picture, reaches, slow, submit } from '../helpers/emulated.js';
import { phasesOf } from '../helpers/phases-of.js';

/** A local server and clients of it; all of it ends with the test. */
const local = async (speed = Infinity) => {
  const emulator = await startEmulator({ dialect: 'local', speed });
  onTestFinished(() => emulator.close());
  const newClient = () => {
    const client = createClient(emulator);
    onTestFinished(() => client.close());
    return client;
  };
  return { emulator, client: newClient(), newClient };
};

const transparent = (): Uint8Array<ArrayBuffer> => {
  const mask = new PNG({ width: 64, height: 64 });
  mask.data.fill(0);
  return new Uint8Array(PNG.sync.write(mask));
};

describe('a mask for a picture of a local server', () => {
  it('M10: is an error where the picture is missing, and nothing is sent', async () => {
    const { client, emulator } = await local();
    const source = { content: transparent(), filename: 'mask.png' };
    const { name } = await toPromise(client.rest.uploadImage(source));
    for (const original of [
      { filename: name },
      { filename: 'none.png', type: 'input' },
      { filename: name, type: 'input', subfolder: 'nowhere' },
    ])
      expect(await client.rest.uploadMask(source, original)()).toMatchObject({
        left: { _tag: 'NotFound', message: expect.stringContaining(original.filename) as string },
      });
    expect(emulator.requests.some(({ url }) => url.startsWith('/api/upload/mask'))).toBe(false);
    const made = await toPromise(client.rest.uploadMask(source, { filename: name, type: 'input' }));
    expect((await toPromise(client.rest.view({ filename: made.name, type: 'input' }))).size).toBeGreaterThan(
      0,
    );
  });
});

describe('a client of a local server', () => {
  it('runs a workflow to its end, with outputs, and never sends a key', async () => {
    const { client, emulator } = await local();
    const states = await lastValueFrom(client.run(picture()).pipe(toArray()));
    expect(phasesOf(states)).toEqual(['submitting', 'pending', 'in_progress', 'completed']);
    const names = outputFiles(states.at(-1)!.outputs).map(({ filename }) => filename);
    expect(names).toContainEqual(expect.stringMatching(/_00001_\.png$/));
    const told = JSON.stringify(emulator.requests);
    expect(told).not.toContain('x-api-key');
    expect(told).not.toContain('token=');
    const { body } = emulator.requests.find(({ method, url }) => method === 'POST' && url === '/api/prompt')!;
    const socket = emulator.requests.find(({ url }) => url.startsWith('/ws?'))!;
    const { client_id: clientId } = JSON.parse(body!) as Record<string, string>;
    expect(socket.url).toContain(`clientId=${clientId!}`);
  });

  it('tells how a job failed', async () => {
    const { client } = await local();
    expect(await lastValueFrom(client.run(failing('OOMError')))).toMatchObject({
      phase: 'failed',
      failure: { exceptionType: 'OOMError', nodeId: '1', nodeType: 'FailOnPurpose' },
    });
  });

  it('follows a job that another client submitted, which no event tells it of', async () => {
    const { client, newClient } = await local();
    const { promptId, states } = await submit(client, picture());
    await lastValueFrom(states);
    const state = await lastValueFrom(newClient().follow(promptId));
    expect(state).toMatchObject({ promptId, phase: 'completed' });
    expect(outputFiles(state.outputs).length).toBeGreaterThan(0);
  });

  it('takes a waiting job out of the queue by its id, and leaves the one that runs', async () => {
    const { client, emulator } = await local(20);
    const running = await submit(client, slow());
    const waiting = await submit(client, slow(5));
    await reaches(running, 'in_progress');
    await toPromise(waiting.cancel());
    const queue = await toPromise(client.rest.queue());
    expect(queue.pending).toEqual([]);
    expect(queue.running.map(({ promptId }) => promptId)).toEqual([running.promptId]);
    expect(emulator.requests.filter(({ url }) => url === '/api/interrupt')).toEqual([]);
  });

  it('cancels the job that runs', async () => {
    const { client } = await local(20);
    const job = await submit(client, slow());
    await reaches(job, 'in_progress');
    await toPromise(job.cancel());
    expect(await lastValueFrom(job.states)).toMatchObject({ phase: 'cancelled' });
  });

  it('downloads what was made, straight from the server', async () => {
    const { client, emulator } = await local();
    const folder = await mkdtemp(join(tmpdir(), 'promptwire-local-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const { outputs } = await lastValueFrom(client.run(picture()));
    const { files } = await lastValueFrom(client.download(outputs, folder, { include: 'temp' }));
    expect(files.length).toBe(outputFiles(outputs).length);
    for (const { path, filename, type, verified } of files) {
      const query = new URLSearchParams({ filename, type }).toString();
      const answer = await fetch(`${emulator.baseUrl}/view?${query}`);
      expect(await readFile(path)).toEqual(Buffer.from(await answer.arrayBuffer()));
      expect(verified).toBe(true);
    }
    expect(emulator.requests.filter(({ origin }) => origin === 'storage')).toEqual([]);
  });

  it('M7: resumes a file that was cut in the middle, by its range and its validator', async () => {
    const { client, emulator } = await local();
    const folder = await mkdtemp(join(tmpdir(), 'promptwire-local-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const sound = {
      1: { class_type: 'ToneAudio', inputs: { frequency: 441.3, duration: 20, waveform: 'sine' } },
      2: { class_type: 'SaveAudio', inputs: { audio: ['1', 0], filename_prefix: 'tone' } },
    };
    const { outputs } = await lastValueFrom(client.run(sound));
    const [file] = outputFiles(outputs).filter(({ type }) => type === 'output');
    const query = new URLSearchParams({ filename: file!.filename, subfolder: file!.subfolder }).toString();
    const whole = Buffer.from(await (await fetch(`${emulator.baseUrl}/view?${query}`)).arrayBuffer());
    const asked = emulator.requests.length;
    emulator.setFaults([
      { on: 'http', route: 'GET /view', do: 'cut', how: 'fin', phase: 'body', bytes: 300_000 },
    ]);
    const { files } = await lastValueFrom(client.download([file!], folder));
    expect((await readFile(files[0]!.path)).equals(whole)).toBe(true);
    expect(files[0]).toMatchObject({ bytes: whole.length, verified: true });
    const views = emulator.requests.slice(asked).map(({ headers }) => headers);
    expect(views).toHaveLength(2);
    expect(views[0]).not.toHaveProperty('range');
    expect(views[1]).toMatchObject({
      range: expect.stringMatching(/^bytes=[1-9]\d*-$/u) as string,
      'if-range': expect.stringMatching(/^"/u) as string,
    });
  });

  it('uploads under a name that the server may change', async () => {
    const { client } = await local();
    const names = [];
    for (const text of ['one', 'two', 'one']) {
      const source = { filename: 'a.txt', content: new TextEncoder().encode(text) };
      names.push((await toPromise(client.rest.uploadImage(source))).name);
    }
    expect(names).toEqual(['a.txt', 'a (1).txt', 'a.txt']);
  });
});
