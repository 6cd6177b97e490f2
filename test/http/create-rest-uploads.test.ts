import * as E from 'fp-ts/lib/Either.js';
import { describe, expect, it } from 'vitest';
import type { HttpConnection } from '../../src/http/connection.js';
import { createRest } from '../../src/http/create-rest.js';
import type { Workflow } from '../../src/protocol/workflow/workflow.js';
import type { HttpRequest } from '../../src/socket/platform.js';
import { type FakeAnswer, fakePlatform } from '../helpers/fake-platform.js';
import { httpConnection, leftOf, rightOf } from '../helpers/http-connection.js';

const setUp = (answer: (request: HttpRequest) => FakeAnswer, more: Partial<HttpConnection> = {}) => {
  const platform = fakePlatform(answer);
  const rest = createRest(httpConnection(platform, more));
  const asked = (): readonly string[] =>
    platform.requests.map(({ method, url }) => `${method} ${url.replace('http://127.0.0.1:9', '')}`);
  return { platform, rest, asked, requests: platform.requests };
};

const jsonOf = (request: HttpRequest | undefined): unknown => JSON.parse(request?.json ?? 'null');

const workflow: Workflow = { '9': { class_type: 'SaveImage', inputs: { images: ['8', 0] } } };
const accepted = { prompt_id: 'p-1', number: 4, node_errors: {} };

describe('createRest: local dialect', () => {
  const local = { dialect: 'local', clientId: () => 'socket-1' } as const;

  it('names the socket, sends no key, and asks for history where it is', async () => {
    const { rest, requests, asked } = setUp(
      ({ url }) => ({ body: url.includes('prompt') ? accepted : {} }),
      local,
    );
    await rest.submit(workflow)();
    expect(jsonOf(requests[0])).toEqual({
      prompt: workflow,
      client_id: 'socket-1',
      prompt_id: '00000000-0000-4000-8000-000000000001',
    });
    expect(leftOf(await rest.history('p')())._tag).toBe('NotFound');
    expect(asked()).toEqual(['POST /api/prompt', 'GET /api/history/p']);
    for (const { headers } of requests) expect(headers).not.toHaveProperty('x-api-key');
  });

  it.each([
    ['running', { queue_running: [[1, 'p', {}, {}, []]], queue_pending: [] }, 'in_progress', 1],
    ['pending', { queue_running: [], queue_pending: [[1, 'p', {}, {}, []]] }, 'pending', 1],
    ['elsewhere', { queue_running: [[1, 'q', {}, {}, []]], queue_pending: [] }, 'completed', 2],
  ])('derives the state of a job that is %s', async (_, queue, phase, count) => {
    const record = { outputs: {}, status: { status_str: 'success', completed: true, messages: [] } };
    const { rest, asked } = setUp(
      ({ url }) => ({ body: url.includes('queue') ? queue : { p: record } }),
      local,
    );
    expect(rightOf(await rest.jobStatus('p')())).toMatchObject({ promptId: 'p', phase });
    expect(asked()).toEqual(['GET /api/queue', 'GET /api/history/p'].slice(0, count));
  });

  it('knows a job that is in neither for not found', async () => {
    const { rest } = setUp(
      ({ url }) => ({ body: url.includes('queue') ? { queue_running: [], queue_pending: [] } : {} }),
      local,
    );
    expect(leftOf(await rest.jobStatus('p')())).toMatchObject({ _tag: 'NotFound', promptId: 'p' });
  });
});

describe('createRest: uploads', () => {
  const answer = { body: { name: 'stored.png', subfolder: '', type: 'input' } };
  const fields = async (request: HttpRequest | undefined): Promise<unknown[]> =>
    Promise.all(
      (request?.form ?? []).map(async (part) =>
        'value' in part ? [part.name, part.value] : [part.name, part.filename, await part.content.text()],
      ),
    );

  it('sends bytes and blobs with the fields that were asked for', async () => {
    const { rest, requests, asked } = setUp(() => answer);
    const content = new TextEncoder().encode('bytes');
    const running = rest.uploadImage({ content, filename: 'a.png' })();
    content.fill(0);
    expect(rightOf(await running)).toEqual({ name: 'stored.png', subfolder: '', type: 'input' });
    await rest.uploadImage(
      { content: new Blob(['blob']), filename: 'b.png' },
      { type: 'temp', subfolder: 's', overwrite: false },
    )();
    expect(await fields(requests[0])).toEqual([
      ['image', 'a.png', 'bytes'],
      ['type', 'input'],
    ]);
    expect(await fields(requests[1])).toEqual([
      ['image', 'b.png', 'blob'],
      ['type', 'temp'],
      ['subfolder', 's'],
      ['overwrite', 'false'],
    ]);
    expect(asked()).toEqual(['POST /api/upload/image', 'POST /api/upload/image']);
  });

  it('sends the original of a mask as JSON text', async () => {
    const { rest, requests, asked } = setUp(() => answer);
    await rest.uploadMask(
      { content: new Blob(['m']), filename: 'm.png' },
      { filename: 'o.png' },
      { overwrite: true },
    )();
    expect(await fields(requests[0])).toEqual([
      ['image', 'm.png', 'm'],
      ['original_ref', '{"filename":"o.png","subfolder":"","type":"output"}'],
      ['type', 'input'],
      ['overwrite', 'true'],
    ]);
    expect(asked()).toEqual(['POST /api/upload/mask']);
  });

  it('reads paths where there are files', async () => {
    const { platform } = setUp(() => answer);
    const files = {
      folder: (path: string) => Promise.resolve(path),
      create: () => Promise.reject(new Error('unused')),
      open: (path: string) =>
        path.includes('none')
          ? Promise.reject(Object.assign(new Error(path), { code: 'ENOENT' }))
          : Promise.resolve(new Blob(['disk'])),
    };
    const rest = createRest(httpConnection({ ...platform, files }));
    await rest.uploadImage('/home/me/cat.png')();
    expect((await fields(platform.requests[0]))[0]).toEqual(['image', 'cat.png', 'disk']);
    expect(leftOf(await rest.uploadImage('/none')())).toMatchObject({
      _tag: 'FileSystem',
      code: 'ENOENT',
      path: '/none',
    });
    const without = setUp(() => answer);
    expect(leftOf(await without.rest.uploadImage('/x')())).toMatchObject({
      _tag: 'InvalidConfig',
      option: 'source',
    });
  });

  it('E18: may be sent again: equal bytes get the same name', async () => {
    let count = 0;
    const { rest, platform } = setUp(() => ((count += 1) === 1 ? { status: 500 } : answer));
    const running = rest.uploadImage({ content: new Blob(['x']), filename: 'x' })();
    await platform.clock.advance(30_000);
    expect(E.isRight(await running)).toBe(true);
    expect(count).toBe(2);
  });
});
