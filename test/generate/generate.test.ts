import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstValueFrom, lastValueFrom, toArray } from 'rxjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Client, Generated } from '../../src/promises.js';
import { type Emulated, emulated, failing, picture, slow } from '../helpers/emulated.js';
import { clientGenerate } from '../../src/client/generate.js';
import { lazyGenerate } from '../../src/generate/lazy-generate.js';
import { left } from '../../src/core/protocol/either.js';
import { promisedClient } from '../../src/client/promises/promised-client.js';
import type { EmulatorOptions } from '../../src/emulator.js';
import { restarted } from '../helpers/restarted-engine.js';
import { serviceError } from '../../src/core/errors/service-error.js';
import type { GenerateOptions, Workflow } from '../../src/index.js';

interface Generating extends Omit<Emulated, 'client'> {
  readonly client: Client;
  readonly main: Emulated['client'];
  readonly uploads: () => number;
  /** `generate` of a client without a disk. */
  readonly generate: Emulated['client']['generate'];
}

const generating = async ({ dialect, ...options }: EmulatorOptions = {}): Promise<Generating> => {
  const { client: main, ...rest } = await emulated({ dialect, ...options }, { dialect });
  const uploads = (): number =>
    rest.emulator.requests.filter(({ method, url }) => method === 'POST' && /upload|assets/u.test(url))
      .length;
  const generate = clientGenerate({ ...main, refuse: undefined }, undefined);
  return { ...rest, main, generate, client: promisedClient(main), uploads };
};

/** `generate` of a client whose service refuses to describe its classes. */
const withoutDefinitions = (main: Emulated['client'], tag: 'NotSupported' | 'Forbidden') =>
  clientGenerate(
    {
      ...main,
      refuse: undefined,
      rest: { ...main.rest, objectInfo: () => () => Promise.resolve(left(serviceError(tag, {}))) },
    },
    undefined,
  );

const folder = async (): Promise<string> => {
  const path = await mkdtemp(join(tmpdir(), 'generate-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
};

/** Takes a picture and saves it again, under another title each. */
const copying: Workflow = {
  1: { class_type: 'LoadImage', inputs: { image: 'missing.png' }, _meta: { title: 'Load Image' } },
  2: {
    class_type: 'SaveImage',
    inputs: { images: ['1', 0], filename_prefix: 'copy' },
    _meta: { title: 'Copy' },
  },
};

/** The bytes of a small picture, as the emulator makes them. */
const pictureOf = async ({ client }: Generating): Promise<Uint8Array<ArrayBuffer>> => {
  const { files } = await client.generate(picture());
  return new Uint8Array(await files[0]!.bytes());
};

/** The same graph as the editor saves it. */
const editorsFile = {
  version: 0.4,
  nodes: [
    {
      ...{ id: 1, type: 'SlowNode', title: 'Slow', mode: 0, order: 0, properties: {}, flags: {} },
      ...{ pos: [0, 0], size: [200, 100], inputs: [], outputs: [], widgets_values: [3] },
    },
  ],
  links: [],
};

describe('generate', () => {
  it('names files by a pattern, and by the titles of their nodes without one', async () => {
    const { client } = await generating();
    const into = await folder();
    const workflow = picture();
    const inputs = { 'Sampler.seed': 7 };
    const named = await client.generate(workflow, { inputs, into, name: '{title}-{seed}-{index}' });
    const plain = await client.generate(workflow, { inputs, into });
    const own = await client.generate(workflow, {
      inputs,
      name: (_, { phase }, at) => `${phase}/../${at}.png`,
    });

    expect(named.files[0]).toMatchObject({ name: 'Save-7-1.png', seed: '7', kind: 'image', index: 1 });
    expect(named.files[0]?.path).toBe(join(into, 'Save-7-1.png'));
    expect(plain.files[0]?.path).toBe(join(into, 'Save-1.png'));
    expect(own.files[0]?.name).toBe('0.png');
  });

  it('refuses a pattern that it does not know before anything is sent', async () => {
    const { client, submissions } = await generating();
    await expect(client.generate(picture(), { name: '{sed}' })).rejects.toMatchObject({
      _tag: 'InvalidConfig',
      option: 'name',
    });
    expect(submissions()).toEqual([]);
  });

  it('goes from inputs to named files with one await', async () => {
    const { client, submissions } = await generating();
    const into = await folder();
    const phases: string[] = [];
    const { files, outputs, state } = await client.generate(picture(), {
      inputs: { 'Prompt.text': 'a lighthouse', 'Sampler.seed': 7 },
      into,
      onState: ({ phase }) => phases.push(phase),
    });

    expect(submissions()[0]).toMatchObject({
      prompt: { 6: { inputs: { text: 'a lighthouse' } }, 3: { inputs: { seed: 7 } } },
    });
    expect(phases[0]).toBe('submitting');
    expect(phases.at(-1)).toBe('completed');
    expect(state.phase).toBe('completed');
    expect(files).toHaveLength(1);
    expect(files[0]).toMatchObject({ title: 'Save', nodeId: '9', type: 'output', mediaType: 'image/png' });
    expect(outputs['Save']).toEqual(files);
    expect(await readFile(files[0]!.path!)).toEqual(Buffer.from(await files[0]!.bytes()));
    expect((await files[0]!.blob()).type).toBe('image/png');
  });

  it('uploads a file by its content once, whatever form it has', async () => {
    const own = await generating();
    const { client, uploads, submissions } = own;
    const bytes = await pictureOf(own);
    const path = join(await folder(), 'own.png');
    await writeFile(path, bytes);
    const forms: readonly unknown[] = [
      ...[new Blob([bytes]), new File([bytes], 'photo.png'), bytes, bytes.buffer, path],
      ...[
        new Blob([bytes]).stream(),
        (async function* () {
          yield await Promise.resolve(bytes);
        })(),
      ],
      { content: bytes, filename: 'named.png' },
    ];
    for (const form of forms) await client.generate(copying, { inputs: { 'Load Image.image': form } });
    expect(uploads()).toBe(1);
    const names = submissions()
      .slice(1)
      .map(({ prompt }) => (prompt as Workflow)['1']?.inputs['image']);
    expect(names).toHaveLength(forms.length);
    expect(new Set(names).size).toBe(1);
  });

  it('uploads it again where the service has lost it, as an engine that was started with another disk', async () => {
    const own = await generating({ dialect: 'local' });
    const { client, emulator, uploads, submissions } = own;
    const bytes = await pictureOf(own);
    const generate = (form: Uint8Array | ReadableStream) =>
      client.generate(copying, { inputs: { 'Load Image.image': form } });
    await generate(bytes);
    await restarted(emulator, 'nothing');
    const [before, sent] = [uploads(), submissions().length];
    expect((await generate(new Blob([bytes]).stream())).state.phase).toBe('completed');
    expect([uploads() - before, submissions().length - sent]).toEqual([1, 2]);
    // What is refused for another reason is uploaded and submitted once more at most, and not where its files were sent just now.
    const refused = {
      ...copying,
      2: { class_type: 'SaveImage', inputs: { images: ['1', 7], filename_prefix: 'a' } },
    };
    for (const [form, count] of [
      [bytes, 2],
      [new TextEncoder().encode('another'), 1],
    ] as const) {
      const earlier = submissions().length;
      await expect(client.generate(refused, { inputs: { 'Load Image.image': form } })).rejects.toMatchObject({
        _tag: 'BadRequest',
      });
      expect(submissions().length - earlier).toBe(count);
    }
  });

  it('takes a text in an input of files for a name of the service where there is no such file here', async () => {
    const own = await generating();
    const name = (await own.client.rest.uploadImage({ content: await pictureOf(own), filename: 'a.png' }))
      .name;
    const { files } = await own.client.generate(copying, { inputs: { 'LoadImage.image': name } });
    expect(files.map(({ title }) => title)).toEqual(['Copy']);
    expect(own.uploads()).toBe(1);
  });

  it('takes a picture that carries a workflow, its path, and JSON text', async () => {
    const own = await generating();
    const path = join(await folder(), 'made.png');
    const bytes = await pictureOf(own);
    await writeFile(path, bytes);
    const sources = [bytes, new Blob([bytes]), path, JSON.stringify(picture())];
    for (const source of sources) expect((await own.client.generate(source)).files).toHaveLength(1);
  });

  it('converts a file of the editor by the classes of the service, which it asks for once', async () => {
    const { client, emulator } = await generating();
    const made: Generated[] = [];
    for (const steps of [3, 4])
      made.push(await client.generate(editorsFile, { inputs: { 'Slow.steps': steps } }));
    expect(made.map(({ state }) => state.phase)).toEqual(['completed', 'completed']);
    expect(emulator.requests.filter(({ url }) => url.startsWith('/api/object_info'))).toHaveLength(1);
    // They are known now, so a value is checked by them.
    await expect(client.generate(slow(), { inputs: { '1.steps': 'many' } })).rejects.toMatchObject({
      _tag: 'InvalidInputs',
    });
  });

  it.each([
    ['an input that no node has', { 'Nobody.text': 'a' }, 'UnknownNode'],
    ['a value of another type', { 'Sampler.seed': 'seven' }, 'InvalidInputs'],
  ])('refuses %s before anything is sent', async (_, inputs, tag) => {
    const { client, emulator } = await generating();
    const photo = new Blob(['photo']);
    const workflow = { ...picture(), 11: copying['1']! };
    const made = client.generate(workflow, { inputs: { 'Load Image.image': photo, ...inputs } });
    await expect(made).rejects.toMatchObject({ _tag: tag });
    expect(emulator.requests).toEqual([]);
  });

  it.each(['cloud', 'local'] as const)(
    'refuses a misspelt input of a workflow in API format, and says which one is like it: %s',
    async (dialect) => {
      const { client, generate, emulator } = await generating({ dialect });
      const workflow = { ...picture(), 11: copying['1']! };
      const inputs = { 'Load Image.image': new Blob(['photo']), 'Prompt.txt': 'a lighthouse' };
      const misspelt = {
        ...{ _tag: 'UnknownInput', nodeId: '6', input: 'txt', nearest: ['text'] },
        message: 'Node 6 (CLIPTextEncode) has no input "txt"; "text" is like it.',
      };
      await expect(client.generate(workflow, { inputs })).rejects.toMatchObject(misspelt);
      await expect(lastValueFrom(generate(workflow, { inputs }))).rejects.toMatchObject(misspelt);
      const sent = emulator.requests.map(({ method, url }) => `${method} ${url}`);
      expect(new Set(sent)).toEqual(new Set(['GET /api/object_info/CLIPTextEncode']));
    },
  );

  it('sets an optional input that the workflow does not have, and one of a class that the service describes nowhere', async () => {
    const { client, main, submissions } = await generating();
    await client.generate(slow(3), { inputs: { '1.anything': 'a text' } });
    expect(submissions()).toMatchObject([{ prompt: { 1: { inputs: { steps: 3, anything: 'a text' } } } }]);
    const made = withoutDefinitions(main, 'NotSupported')(slow(3), { inputs: { '1.anything': 'a text' } });
    expect((await lastValueFrom(made)).phase).toBe('completed');
  });

  it('sends nothing where the class of an input that the workflow does not have can not be asked for', async () => {
    const { main, submissions } = await generating();
    const made = withoutDefinitions(main, 'Forbidden')(slow(3), { inputs: { '1.anything': 'a text' } });
    await expect(lastValueFrom(made)).rejects.toMatchObject({ _tag: 'Forbidden' });
    expect(submissions()).toEqual([]);
  });

  it.each<[string, EmulatorOptions['dialect'], GenerateOptions, string]>([
    ['a file that an ephemeral job would leave', 'local', { ephemeral: true }, 'NotSupported'],
    ['an ephemeral job where records stay', 'v2', { ephemeral: true }, 'NotSupported'],
    ['a place in a queue that has none', 'v2', { front: true }, 'NotSupported'],
    ['labels where there are none', 'local', { labels: { of: 'ann' } }, 'NotSupported'],
    ['a target that is no output node', 'local', { targets: ['1'] }, 'InvalidConfig'],
    ['a node that the service does not know', 'local', { validate: 'strict' }, 'InvalidWorkflow'],
  ])('refuses %s before a file is uploaded', async (_, dialect, options, tag) => {
    const { client, uploads, submissions } = await generating({ dialect });
    const workflow = { ...copying, 3: { class_type: 'SaveNothing', inputs: { images: ['1', 0] } } };
    const photo = new Blob(['photo']);
    const made = client.generate(workflow, { ...options, inputs: { 'Load Image.image': photo } });
    await expect(made).rejects.toMatchObject({ _tag: tag });
    expect([uploads(), submissions()]).toEqual([0, []]);
  });

  it('refuses a file where the client is drained', async () => {
    const { client, main, uploads } = await generating();
    await main.drain();
    const made = client.generate(copying, { inputs: { 'Load Image.image': new Blob(['photo']) } });
    await expect(made).rejects.toMatchObject({ _tag: 'Draining' });
    expect(uploads()).toBe(0);
  });

  it('checks the classes of a workflow with a file once', async () => {
    const own = await generating({ dialect: 'local' });
    const bytes = await pictureOf(own);
    const { state } = await own.client.generate(copying, {
      ...{ validate: 'strict', targets: ['2'], inputs: { 'Load Image.image': bytes } },
    });
    expect(state.phase).toBe('completed');
    const asked = own.emulator.requests.filter(({ url }) => url.startsWith('/api/object_info'));
    expect(asked).toHaveLength(1);
  });

  it('refuses a path that is not there, and what carries no workflow', async () => {
    const { client } = await generating();
    await expect(client.generate('no-such-file.json')).rejects.toMatchObject({ _tag: 'FileSystem' });
    await expect(client.generate(new Blob(['text']))).rejects.toMatchObject({ _tag: 'InvalidWorkflow' });
    await expect(client.generate({})).rejects.toMatchObject({ _tag: 'InvalidWorkflow' });
  });

  it('rejects with the reason where the job fails; as a stream it ends with that state', async () => {
    const { client, generate } = await generating();
    await expect(client.generate(failing('RuntimeError'))).rejects.toMatchObject({ _tag: 'JobFailed' });
    const last = await lastValueFrom(generate(failing('RuntimeError')));
    expect(last).toMatchObject({ phase: 'failed', files: [], outputsByTitle: {} });
  });

  it('asks for the end of the job where its signal fires, and leaves it with detach', async () => {
    const { client, emulator } = await generating();
    for (const onUnsubscribe of ['cancel', 'detach'] as const) {
      const controller = new AbortController();
      const made = client.generate(slow(onUnsubscribe === 'cancel' ? 50_000 : 60), {
        ...{ signal: controller.signal, onUnsubscribe },
        onState: ({ phase }) => {
          if (phase === 'in_progress') controller.abort();
        },
      });
      await expect(made).rejects.toMatchObject({ _tag: 'Aborted' });
    }
    await expect
      .poll(() => emulator.ledger.jobs.map(({ state }) => state))
      .toEqual(['cancelled', 'completed']);
  });

  it('is a stream in the main entry, which submits once for each subscription, and nothing before', async () => {
    const { main, submissions } = await generating();
    const states = main.generate(picture());
    expect(submissions()).toHaveLength(0);
    const all = await firstValueFrom(states.pipe(toArray()));
    expect(all.filter(({ files }) => files !== undefined)).toHaveLength(1);
    expect(submissions()).toHaveLength(1);
  });

  it('names files by node where two nodes have the same title', async () => {
    const own = await generating();
    const two = { ...copying, 3: copying['2']! };
    const { outputs, files } = await own.client.generate(two, {
      inputs: { 'Load Image.image': await pictureOf(own) },
    });
    expect(Object.keys(outputs)).toEqual(['2', '3']);
    expect(files.map(({ title }) => title)).toEqual(['Copy', 'Copy']);
  });

  it('has no disk in a page', async () => {
    const { generate } = await generating();
    const made = lastValueFrom(generate(picture(), { into: 'outputs' }));
    await expect(made).rejects.toMatchObject({ _tag: 'InvalidConfig', option: 'into' });
    await expect(lastValueFrom(generate('a.json'))).rejects.toMatchObject({ option: 'workflow' });
  });

  it('is loaded with its first use, and again where that failed', async () => {
    const { main } = await generating();
    let loads = 0;
    const generate = lazyGenerate(() => {
      loads += 1;
      return loads === 1 ? Promise.reject(new Error('offline')) : Promise.resolve(main.generate);
    });
    await expect(lastValueFrom(generate(picture()))).rejects.toMatchObject({ _tag: 'Network' });
    expect((await lastValueFrom(generate(picture()))).phase).toBe('completed');
  });
});
