import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient, defaultPlatform } from '../../../src/node.js';
import { createGateway, type Gateway, type GatewayOptions, type InputFetcher } from '../../../src/gateway.js';
import { inputFetcher } from '../../../src/gateway-node.js';
import { createRemote, generate } from '../../../src/remote.js';
import { lastValueFrom } from 'rxjs';
import { PNG } from 'pngjs';
import { startEmulator } from '../../../src/emulator.js';
import { template } from '../../../src/workflow.js';

/** Turns a picture over: what comes back tells which file was read. */
const workflow = {
  1: { class_type: 'LoadImage', inputs: { image: 'none.png' }, _meta: { title: 'Picture' } },
  2: {
    class_type: 'ImageScaleBy',
    inputs: { image: ['1', 0], upscale_method: 'nearest-exact', scale_by: 2 },
  },
  3: {
    class_type: 'SaveImage',
    inputs: { images: ['2', 0], filename_prefix: 'a' },
    _meta: { title: 'Large' },
  },
  4: {
    class_type: 'SaveImage',
    inputs: { images: ['1', 0], filename_prefix: 'b' },
    _meta: { title: 'Same' },
  },
};

const pictureOf = (size: number): Uint8Array<ArrayBuffer> =>
  new Uint8Array(PNG.sync.write(new PNG({ width: size, height: size })));

const running = async (options: Partial<GatewayOptions> = {}): Promise<Gateway> => {
  const emulator = await startEmulator({ dialect: 'local', speed: Infinity });
  const client = createClient(emulator);
  const made = template(workflow, {
    picture: 'Picture.image',
    scale: { class: 'ImageScaleBy', input: 'scale_by', optional: true },
  });
  if (made._tag === 'Left') throw made.left;
  const gateway = createGateway({
    ...{ client, authorize: () => ({ name: 'ann' }), templates: { scaled: made.right } },
    ...options,
  });
  onTestFinished(async () => {
    await gateway.close();
    await client.close();
    await emulator.close();
  });
  return gateway;
};

const ask = (
  gateway: Gateway,
  path: string,
  body: BodyInit,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> =>
  gateway.fetch(
    new Request(`http://h${path}`, {
      ...{ method: 'POST', body },
      headers: { prefer: 'wait=50', accept: 'image/*', ...headers },
    }),
  );

const json = (value: unknown): BodyInit => new Blob([JSON.stringify(value)], { type: 'application/json' });

const widthOf = async (response: Response): Promise<number> => {
  expect(response.headers.get('content-type')).toBe('image/png');
  return PNG.sync.read(Buffer.from(await response.arrayBuffer())).width;
};

const pixelsOf = (bytes: Uint8Array): readonly unknown[] => {
  const { width, height, data } = PNG.sync.read(Buffer.from(bytes));
  return [width, height, data.toString('base64')];
};

const codeOf = async (response: Response): Promise<unknown> => [
  response.status,
  ((await response.json()) as { readonly code?: string }).code,
];

describe('a submission with files', () => {
  it('takes them in the fields of a form, and answers with the output that is named', async () => {
    const gateway = await running();
    const form = (members: Readonly<Record<string, string>>, field: string) => {
      const data = new FormData();
      for (const [name, value] of Object.entries(members)) data.set(name, value);
      data.set(field, new Blob([pictureOf(3)], { type: 'image/png' }), 'mine.png');
      return data;
    };
    const ofTemplate = await ask(gateway, '/templates/scaled?output=Large', form({ scale: '4' }, 'picture'));
    expect(await widthOf(ofTemplate)).toBe(12);
    const members = {
      workflow: JSON.stringify(workflow),
      metadata: '{"of":"ann"}',
      'ImageScaleBy.scale_by': '3',
    };
    const ofWorkflow = form(members, 'Picture.image');
    expect(await widthOf(await ask(gateway, '/jobs?output=Large', ofWorkflow))).toBe(9);
    expect(await widthOf(await ask(gateway, '/jobs?output=4', ofWorkflow))).toBe(3);
    const listed = await gateway.fetch(new Request('http://h/jobs?metadata[of]=ann'));
    expect(((await listed.json()) as { readonly jobs: readonly unknown[] }).jobs.length).toBe(2);
  });

  it('takes them as base64, and joins the job of the same key with the same bytes', async () => {
    const gateway = await running();
    const picture = { base64: Buffer.from(pictureOf(5)).toString('base64'), filename: 'a.png' };
    const body = () => json({ inputs: { picture } });
    const headers = { 'idempotency-key': 'one' };
    const first = await ask(gateway, '/templates/scaled?output=Large', body(), headers);
    const second = await ask(gateway, '/templates/scaled?output=Large', body(), headers);
    expect([await widthOf(first), await widthOf(second)]).toEqual([10, 10]);
    expect(second.headers.get('location')).toBe(first.headers.get('location'));
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(
      await codeOf(await ask(gateway, '/templates/scaled', json({ inputs: { picture: { base64: '*' } } }))),
    ).toEqual([422, 'invalid_inputs']);
  });

  it('names what it has where the output is not there, and gives JSON to who takes all', async () => {
    const gateway = await running();
    const picture = { base64: Buffer.from(pictureOf(2)).toString('base64') };
    const body = () => json({ inputs: { picture } });
    const missing = await ask(gateway, '/templates/scaled?output=Other', body());
    expect([missing.status, await missing.json()]).toEqual([
      406,
      expect.objectContaining({ code: 'output_not_found', outputs: ['Large', 'Same'] }),
    ]);
    expect((await ask(gateway, '/templates/scaled', body(), { accept: 'video/*' })).status).toBe(406);
    expect(
      await widthOf(await ask(gateway, '/templates/scaled?output=Same', body(), { accept: '*/*' })),
    ).toBe(2);
  });

  it('takes them from addresses that are listed, and from no other', async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? '');
      if (request.url === '/moved') response.writeHead(302, { location: '/a.png' }).end();
      else if (request.url === '/large') response.writeHead(200).end(new Uint8Array(5_000));
      else if (request.url === '/gone') response.writeHead(404).end();
      else response.writeHead(200, { 'content-type': 'image/png' }).end(pictureOf(7));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const fetcher = inputFetcher(defaultPlatform());
    const gateway = await running({
      inputs: { fetcher, origins: [origin, 'http://169.254.169.254'] },
      limits: { uploadBytes: 4_000 },
    });
    const from = (url: string) =>
      ask(gateway, '/templates/scaled?output=Large', json({ inputs: { picture: { url } } }));
    expect(await widthOf(await from(`${origin}/a.png`))).toBe(14);
    expect(await codeOf(await from(`${origin}/moved`))).toEqual([422, 'input_unavailable']);
    expect(await codeOf(await from(`${origin}/gone`))).toEqual([422, 'input_unavailable']);
    expect(await codeOf(await from(`${origin}/large`))).toEqual([413, 'payload_too_large']);
    const before = asked.length;
    for (const url of [
      ...['http://127.0.0.1:1/a.png', 'http://169.254.169.254/latest', 'file:///etc/passwd', 'nonsense'],
      ...[
        `${origin.replace('http://', 'http://a:b@')}/a.png`,
        `${origin.replace('127.0.0.1', 'localhost')}/a.png`,
      ],
    ])
      expect([url, await codeOf(await from(url))]).toEqual([url, [422, 'input_not_allowed']]);
    expect(asked.length).toBe(before);
  });

  it('lets names of public hosts lead to public addresses only, and no file take for ever', async () => {
    const seen: boolean[] = [];
    const fetcher: InputFetcher = {
      fetch: ({ anyAddress, signal }) => {
        seen.push(anyAddress);
        return new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
        });
      },
    };
    const origins = ['https://files.example', 'http://minio.internal:9000'];
    const gateway = await running({ inputs: { fetcher, origins, timeoutMs: 1 } });
    for (const origin of origins) {
      const answer = await ask(
        gateway,
        '/templates/scaled',
        json({ inputs: { picture: { url: `${origin}/a` } } }),
      );
      expect(await codeOf(answer)).toEqual([422, 'input_unavailable']);
    }
    expect(seen).toEqual([false, true]);
  });

  it('gives the files that generate of a remote gives', async () => {
    const gateway = await running();
    const remote = createRemote({
      url: 'http://h',
      fetch: (input, init) => gateway.fetch(new Request(input, init)),
    });
    onTestFinished(() => remote.close());
    const inputs = { 'Picture.image': new Blob([pictureOf(6)]) };
    const { outputsByTitle = {} } = await lastValueFrom(generate(remote, workflow, { inputs }));
    for (const [title, files] of Object.entries(outputsByTitle)) {
      const form = new FormData();
      form.set('workflow', JSON.stringify(workflow));
      form.set('Picture.image', new Blob([pictureOf(6)]), 'a.png');
      const answer = await ask(gateway, `/jobs?output=${title}`, form);
      const [generated, called] = [await files[0]!.bytes(), new Uint8Array(await answer.arrayBuffer())];
      expect([title, pixelsOf(called)]).toEqual([title, pixelsOf(generated)]);
    }
    expect(Object.keys(outputsByTitle)).toEqual(['Large', 'Same']);
  });

  it('are none where the operator lists no origin', async () => {
    const answer = await ask(
      await running(),
      '/jobs',
      json({ workflow, inputs: { 'Picture.image': { url: 'https://a.example/a' } } }),
    );
    expect(await codeOf(answer)).toEqual([422, 'input_not_allowed']);
  });
});
