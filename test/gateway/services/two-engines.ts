import { expect, onTestFinished } from 'vitest';
import { type Emulator, startEmulator, textToImageWorkflow } from '../../../src/emulator.js';
import { fileInput, type UploadedFile } from '../../../src/index.js';
import type { Gateway } from '../../../src/gateway.js';
import { PNG } from 'pngjs';
import { readerOf } from '../support.js';

export const pictureOf = (size: number): Uint8Array<ArrayBuffer> =>
  new Uint8Array(PNG.sync.write(new PNG({ width: size, height: size })));

/** Copies a picture that is an input. */
export const copyOf = (image: unknown, prefix = 'copy') => ({
  1: { class_type: 'LoadImage', inputs: { image } },
  2: { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: prefix } },
});

/** Makes a picture of this size. */
export const made = (size: number, { filenamePrefix = 'made', steps = 1 } = {}) => {
  const workflow = textToImageWorkflow({ width: size, height: size, steps });
  return Object.fromEntries(
    Object.entries(workflow).map(([id, node]) => [
      id,
      node.class_type === 'SaveImage'
        ? { ...node, inputs: { ...node.inputs, filename_prefix: filenamePrefix } }
        : node,
    ]),
  );
};

/** Two engines, which end with the test. */
export const twoEngines = async (speed = Infinity): Promise<readonly [Emulator, Emulator]> => {
  const start = (): Promise<Emulator> => startEmulator({ dialect: 'local', speed });
  const [one, two] = await Promise.all([start(), start()]);
  onTestFinished(() => Promise.all([one.close(), two.close()]).then(() => undefined));
  return [one, two];
};

/** How many requests of a kind came. */
export const sent = ({ requests }: Emulator, path: string): number =>
  requests.filter(({ method, url }) => method === 'POST' && url === path).length;

export interface ShownJob {
  readonly id: string;
  readonly state: { readonly phase: string; readonly warnings: readonly string[] };
  readonly files: readonly { readonly id: string; readonly url: string; readonly filename: string }[];
}

export const ask = async <A>(
  gateway: Gateway,
  path: string,
  body?: unknown,
  prefer = 'wait=50',
): Promise<A> => {
  const init = body instanceof Blob ? body : JSON.stringify(body);
  const answer = await gateway.fetch(
    new Request(`http://h${path}`, {
      ...(body !== undefined && { method: 'POST', body: init }),
      headers: { prefer },
    }),
  );
  return (await answer.json()) as A;
};

/** Uploads a picture of this size, with a mask of another one where that is said, and gives what a workflow calls it. */
export const uploaded = async (gateway: Gateway, size: number, maskOf?: string) => {
  const query = maskOf === undefined ? '' : `&mask_of=${maskOf}`;
  const file = await ask<UploadedFile>(
    gateway,
    `/uploads?filename=a.png${query}`,
    new Blob([pictureOf(size)], { type: 'image/png' }),
  );
  const { name, subfolder, type, asset } = file;
  return {
    id: asset?.id ?? '',
    hash: asset?.hash,
    image: fileInput({ name, subfolder, type, ...(asset !== undefined && { asset }) }),
  };
};

export const widthOf = async (gateway: Gateway, { files }: ShownJob): Promise<number> => {
  const answer = await gateway.fetch(new Request(files.at(-1)?.url ?? ''));
  return PNG.sync.read(Buffer.from(await answer.arrayBuffer())).width;
};

/** Runs a job until its stream names a preview, and reads that one. */
export const expectPreview = async (gateway: Gateway): Promise<void> => {
  const workflow = made(64, { steps: 1_000 });
  const { id } = await ask<ShownJob>(gateway, '/jobs', { workflow }, 'wait=0');
  const events = await gateway.fetch(new Request(`http://h/jobs/${id}/events`));
  const reader = readerOf(events.body!, 'sse');
  let url = '';
  while (url === '') {
    const event = await reader.next();
    if (event?.event === 'preview') url = String(event.data['url']);
  }
  const preview = await gateway.fetch(new Request(url));
  expect([preview.status, preview.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  await reader.cut();
  await ask(gateway, `/jobs/${id}/cancel`, {});
};
