import { createAssets } from '../../../src/server/gateway/v2/assets.js';
import { memoryAssetIndex } from '../../../src/server/gateway/store/memory-asset-index.js';
import { createBLAKE3 } from 'hash-wasm';
import { describe, expect, it } from 'vitest';
import { realClock } from '../../../src/core/platform/clock.js';
import { schemas } from '@comfyorg/sdk/low';
import { aGateway, bytesOf, withJson } from './a-gateway.js';
import { aJob } from './a-job.js';

const hashOf = async (text: string): Promise<string> => {
  const hash = await createBLAKE3();
  return `blake3:${hash.init().update(text).digest('hex')}`;
};

const formOf = (text: string, fields: Readonly<Record<string, string>> = {}): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', new Blob([bytesOf(text)], { type: 'text/plain' }), 'own.txt');
  return form;
};

const upload = (gateway: ReturnType<typeof aGateway>, text: string, fields = {}, headers = {}) =>
  gateway.ask('POST', '/api/v2/assets', { body: formOf(text, fields), headers });

describe('assets of API v2', () => {
  it('are stored once, by a name of the gateway, and told by the hash that the gateway computed', async () => {
    const gateway = aGateway();
    const made = await upload(gateway, 'abc', { file_path: 'in/cat.png', content_type: 'image/png' });
    expect(made.status).toBe(201);
    schemas.zAsset.parse(made.json());
    const hash = await hashOf('abc');
    expect(made.json()).toMatchObject({ hash, size_bytes: 3, file_path: 'in/cat.png', created_new: true });
    expect([...gateway.stored.keys()]).toEqual([`${String(made.json()['id'])}.png`]);
    const again = await upload(gateway, 'abc', { file_path: 'in/cat.png' });
    expect([again.status, again.json()['id']]).toEqual([200, made.json()['id']]);
    expect(gateway.stored.size).toBe(1);
  });

  it('keep what HEAD promises: from-hash makes an asset of the bytes, and only for their owner', async () => {
    const gateway = aGateway();
    const hash = await hashOf('abc');
    const head = (headers = {}) =>
      gateway.ask('HEAD', `/api/v2/assets/by-hash/${encodeURIComponent(hash)}`, { headers });
    expect((await head()).status).toBe(404);
    await upload(gateway, 'abc');
    expect((await head()).status).toBe(200);
    expect((await head({ authorization: 'another' })).status).toBe(404);
    const made = await gateway.ask(
      'POST',
      '/api/v2/assets/from-hash',
      withJson({ hash, file_path: 'b.txt' }),
    );
    expect(made.status).toBe(201);
    schemas.zAsset.parse(made.json());
    const foreign = withJson({ hash }, { authorization: 'another' });
    const refused = await gateway.ask('POST', '/api/v2/assets/from-hash', foreign);
    expect([refused.status, refused.json()]).toMatchObject([404, { error: { code: 'blob_not_found' } }]);
    expect(gateway.stored.size).toBe(1);
  });

  it('are not stored where the bytes are others than expected', async () => {
    const gateway = aGateway();
    const refused = await upload(gateway, 'abc', { expected_hash: await hashOf('abd') });
    expect([refused.status, refused.json()]).toMatchObject([409, { error: { code: 'hash_mismatch' } }]);
    expect(gateway.stored.size).toBe(0);
  });

  it.each([
    { file_path: '../x.png' },
    { file_path: '/etc/x' },
    { file_path: 'a//b' },
    { expires_in: '59' },
    { expected_hash: 'md5:1' },
    { content_type: 'x' },
  ])('are refused with %o', async (fields) => {
    const refused = await upload(aGateway(), 'abc', fields);
    expect([refused.status, refused.json()]).toMatchObject([422, { error: { code: 'validation_error' } }]);
  });

  it('end when they said, and a longer life counts', async () => {
    const gateway = aGateway();
    const made = await upload(gateway, 'abc', { expires_in: '60' });
    const id = String(made.json()['id']);
    await upload(gateway, 'abc', { expires_in: '120' });
    await gateway.clock.advance(61_000);
    expect((await gateway.ask('GET', `/api/v2/assets/${id}`)).status).toBe(200);
    await gateway.clock.advance(60_000);
    expect((await gateway.ask('GET', `/api/v2/assets/${id}`)).status).toBe(404);
  });

  it('stay while a job that has not ended refers to them', async () => {
    const jobs = [aJob({}, { phase: 'pending' })];
    const gateway = aGateway({ jobs });
    const id = String((await upload(gateway, 'abc')).json()['id']);
    const reference = { __type: 'core/ASSET', info: { id } };
    jobs[0] = aJob(
      { workflow: { 1: { class_type: 'LoadImage', inputs: { image: reference } } } },
      { phase: 'pending' },
    );
    const used = await gateway.ask('DELETE', `/api/v2/assets/${id}`);
    expect([used.status, used.json()]).toMatchObject([409, { error: { code: 'asset_in_use' } }]);
    jobs[0] = aJob(jobs[0].record, { phase: 'completed' });
    expect((await gateway.ask('DELETE', `/api/v2/assets/${id}`)).status).toBe(204);
    expect((await gateway.ask('DELETE', `/api/v2/assets/${id}`)).status).toBe(404);
  });

  it('stand for the file in what the service gets, and stay references in the job', async () => {
    const outputs = { 9: { images: [{ filename: 'out.png', subfolder: 's', type: 'output' }] } };
    const gateway = aGateway({ jobs: [aJob({}, { phase: 'completed', outputs })] });
    const id = String((await upload(gateway, 'abc', { file_path: 'cat.png' })).json()['id']);
    const job = await gateway.ask('GET', '/api/v2/jobs/a-job');
    const output = (job.json()['outputs'] as readonly { readonly id: string }[])[0]!;
    const reference = (of: string) => ({ __type: 'core/ASSET', info: { id: of } });
    const workflow = { 1: { class_type: 'X', inputs: { a: reference(id), b: reference(output.id) } } };
    expect((await gateway.ask('POST', '/api/v2/jobs', withJson({ workflow }))).status).toBe(201);
    expect(gateway.submissions).toMatchObject([
      {
        workflow,
        resolved: { 1: { inputs: { a: `${id}.png`, b: 's/out.png [output]' } } },
        client: 'default',
      },
    ]);
    const missing = { 1: { class_type: 'X', inputs: { a: reference('other') } } };
    const refused = await gateway.ask('POST', '/api/v2/jobs', withJson({ workflow: missing }));
    expect([refused.status, refused.json()]).toMatchObject([
      422,
      { error: { code: 'missing_asset', details: { missing_ids: ['other'] } } },
    ]);
    const foreign = withJson({ workflow }, { authorization: 'another' });
    expect((await gateway.ask('POST', '/api/v2/jobs', foreign)).status).toBe(422);
  });
});

describe('the content of an output', () => {
  const outputs = { 9: { images: [{ filename: 'out.html', subfolder: '', type: 'output' }] } };
  const setUp = async () => {
    const gateway = aGateway({ jobs: [aJob({}, { phase: 'completed', outputs })] });
    gateway.stored.set('out.html', new Blob(['0123456789']));
    const [output] = (await gateway.ask('GET', '/api/v2/jobs/a-job')).json()['outputs'] as readonly {
      readonly id: string;
      readonly size_bytes: number;
    }[];
    return { gateway, output: output!, path: `/api/v2/assets/${output!.id}/content` };
  };

  it('is the bytes, as large as the job says, and never runs as a page of the gateway', async () => {
    const { gateway, output, path } = await setUp();
    const { status, text, headers } = await gateway.ask('GET', path);
    expect([status, text, output.size_bytes]).toEqual([200, '0123456789', 10]);
    expect(headers.get('content-length')).toBe('10');
    expect(headers.get('content-security-policy')).toMatch(/^sandbox/u);
  });

  it('is the part that a range names, or a refusal with the size behind the end', async () => {
    const { gateway, path } = await setUp();
    const part = await gateway.ask('GET', path, { headers: { range: 'bytes=5-7' } });
    expect([part.status, part.text, part.headers.get('content-range')]).toEqual([206, '567', 'bytes 5-7/10']);
    const stale = { range: 'bytes=5-7', 'if-range': '"other"' };
    expect((await gateway.ask('GET', path, { headers: stale })).status).toBe(200);
    const beyond = await gateway.ask('GET', path, { headers: { range: 'bytes=10-' } });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */10']);
    expect(beyond.json()).toMatchObject({ error: { code: 'range_not_satisfiable' } });
  });

  it('of which the service has no file is output_unavailable, and another caller has no such asset', async () => {
    const { gateway, path } = await setUp();
    gateway.stored.clear();
    const gone = await gateway.ask('GET', path);
    expect([gone.status, gone.json()]).toMatchObject([404, { error: { code: 'output_unavailable' } }]);
    const foreign = await gateway.ask('GET', path, { headers: { authorization: 'another' } });
    expect([foreign.status, foreign.json()]).toMatchObject([404, { error: { code: 'asset_not_found' } }]);
  });

  it('is read no faster than the caller takes it, and let go when the caller leaves', async () => {
    const { gateway, path } = await setUp();
    const before = gateway.discarded();
    const response = await gateway.fetch(new Request(`http://gateway.example:8080${path}`));
    const reader = response.body!.getReader();
    await reader.read();
    expect(gateway.pulled()).toBe(1);
    await reader.cancel();
    expect(gateway.discarded()).toBe(before + 1);
  });
});

describe('a workflow with assets of two services', () => {
  it('is refused, and says why', async () => {
    const index = memoryAssetIndex({ now: () => 0 });
    const ids = ['one', 'other'];
    for (const id of ids) {
      const stored = { name: `${id}.png`, subfolder: '', type: 'input' } as const;
      const record = { id, owner: 'ann', client: id, sizeBytes: 1, contentType: 'image/png', createdAt: 0 };
      await index.put({ ...record, stored });
    }
    const assets = createAssets({
      index,
      jobs: {} as never,
      files: {} as never,
      now: () => 0,
      clock: realClock,
    });
    const inputs = Object.fromEntries(ids.map((id) => [id, { __type: 'core/ASSET', info: { id } }]));
    const prepared = await assets.prepare({ name: 'ann' }, { 1: { class_type: 'Join', inputs } });
    expect(prepared).toMatchObject({ _tag: 'Left', left: { status: 422, code: 'assets_apart' } });
  });
});
