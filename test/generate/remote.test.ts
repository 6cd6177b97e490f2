import { bearerTokens } from '../../src/server/gateway/http/bearer-tokens.js';
import { createGateway } from '../../src/server/gateway/create-gateway.js';
import { createRemote } from '../../src/page/remote/create-remote.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { generate } from '../../src/page/remote/generate.js';
import { emulated, failing, picture, slow } from '../helpers/emulated.js';
import { firstValueFrom, lastValueFrom, tap, toArray } from 'rxjs';
import type { Emulator } from '../../src/emulator.js';
import type { Remote } from '../../src/page/remote/remote.js';
import type { Workflow } from '../../src/index.js';

interface Behind {
  readonly remote: Remote;
  readonly emulator: Emulator;
}

/** A remote of a gateway in the same program. */
const behindGateway = async (): Promise<Behind> => {
  const { client, emulator } = await emulated();
  const token = 'a-long-random-token';
  const gateway = createGateway({ client, authorize: bearerTokens({ web: token }) });
  const remote = createRemote({
    ...{ url: 'http://gateway.test', token },
    fetch: (input, init) => gateway.fetch(new Request(input, init)),
  });
  onTestFinished(async () => {
    remote.close();
    await gateway.close();
  });
  return { remote, emulator };
};

const copying: Workflow = {
  1: { class_type: 'LoadImage', inputs: { image: 'missing.png' }, _meta: { title: 'Load Image' } },
  2: {
    class_type: 'SaveImage',
    inputs: { images: ['1', 0], filename_prefix: 'copy' },
    _meta: { title: 'Copy' },
  },
};

describe('generate of a remote', () => {
  it('goes from inputs to files of the gateway, and submits once for each subscription', async () => {
    const { remote, emulator } = await behindGateway();
    const made = generate(remote, picture(), { inputs: { 'Prompt.text': 'a lighthouse' } });
    expect(emulator.ledger.jobs).toHaveLength(0);
    const states = await firstValueFrom(made.pipe(toArray()));
    const { phase, files = [], outputsByTitle } = states.at(-1)!;

    expect(states.filter((state) => state.files !== undefined)).toHaveLength(1);
    expect([states[0]?.phase, phase]).toEqual(['submitting', 'completed']);
    expect(emulator.ledger.jobs).toHaveLength(1);
    expect(files).toHaveLength(1);
    expect(files[0]).toMatchObject({ title: 'Save', nodeId: '9', type: 'output', mediaType: 'image/png' });
    expect(files[0]).toMatchObject({ name: 'Save-1.png', kind: 'image', index: 1 });
    expect(files[0]?.url).toMatch(/^http:\/\/gateway\.test\/jobs\/.*\/outputs\//u);
    expect(outputsByTitle?.['Save']).toEqual(files);
    expect(
      Buffer.from(await files[0]!.bytes())
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
    expect((await files[0]!.blob()).type).toBe('image/png');
  });

  it('uploads files through the gateway once', async () => {
    const { remote, emulator } = await behindGateway();
    const first = await lastValueFrom(generate(remote, picture()));
    const bytes = (await first.files![0]!.bytes()) as Uint8Array<ArrayBuffer>;
    for (const photo of [new Blob([bytes]), bytes]) {
      const { files } = await lastValueFrom(
        generate(remote, copying, { inputs: { 'Load Image.image': photo } }),
      );
      expect(files?.map(({ title }) => title)).toEqual(['Copy']);
    }
    expect(emulator.requests.filter(({ url }) => url.startsWith('/api/upload/'))).toHaveLength(1);
  });

  it('refuses a misspelt input before anything is uploaded or submitted, and says which one is like it', async () => {
    const { remote, emulator } = await behindGateway();
    const workflow = { ...picture(), 11: copying['1']! };
    const inputs = { 'Load Image.image': new Blob(['photo']), 'Prompt.txt': 'a lighthouse' };
    await expect(lastValueFrom(generate(remote, workflow, { inputs }))).rejects.toMatchObject({
      ...{ _tag: 'UnknownInput', input: 'txt', nearest: ['text'] },
    });
    expect(emulator.requests.filter(({ method }) => method === 'POST')).toEqual([]);
  });

  it('takes the temporary files of preview nodes as well', async () => {
    const { remote } = await behindGateway();
    const { files = [] } = await lastValueFrom(generate(remote, picture(), { include: 'temp' }));
    expect(files.map(({ type }) => type)).toEqual(['output', 'temp']);
    for (const file of files) expect((await file.bytes()).length).toBeGreaterThan(0);
  });

  it('runs a file of the editor by the node classes of the gateway', async () => {
    const { remote, emulator } = await behindGateway();
    const made = { id: 1, type: 'EmptyImage', outputs: [{ name: 'IMAGE', type: 'IMAGE', links: [1] }] };
    const saved = { id: 2, type: 'SaveImage', inputs: [{ name: 'images', type: 'IMAGE', link: 1 }] };
    const ofEditor = {
      ...{ version: 0.4, links: [[1, 1, 0, 2, 0, 'IMAGE']] },
      nodes: [
        { ...made, widgets_values: [64, 64, 1, 0] },
        { ...saved, widgets_values: ['edited'] },
      ],
    };
    const { files } = await lastValueFrom(generate(remote, ofEditor));
    expect(files?.map(({ nodeId, mediaType }) => [nodeId, mediaType])).toEqual([['2', 'image/png']]);
    expect(emulator.ledger.jobs).toHaveLength(1);
  });

  it('has no disk', async () => {
    const { remote, emulator } = await behindGateway();
    const refused = (option: string): unknown => ({ _tag: 'InvalidConfig', option });
    await expect(lastValueFrom(generate(remote, picture(), { into: 'outputs' }))).rejects.toMatchObject(
      refused('into') as object,
    );
    await expect(lastValueFrom(generate(remote, 'a.json'))).rejects.toMatchObject(
      refused('workflow') as object,
    );
    expect(emulator.ledger.jobs).toHaveLength(0);
  });

  it('ends with the state of a job that fails, and asks for the end of one that is left', async () => {
    const { remote, emulator } = await behindGateway();
    const last = await lastValueFrom(generate(remote, failing('RuntimeError')));
    expect(last).toMatchObject({ phase: 'failed', files: [], outputsByTitle: {} });

    const controller = new AbortController();
    const made = generate(remote, slow(50_000), { signal: controller.signal });
    const abortOnce = made.pipe(
      tap(({ phase }) => {
        if (phase === 'in_progress') controller.abort();
      }),
    );
    await expect(lastValueFrom(abortOnce)).rejects.toMatchObject({ _tag: 'Aborted' });
    await expect.poll(() => emulator.ledger.jobs.at(-1)?.state).toBe('cancelled');
  });
});
