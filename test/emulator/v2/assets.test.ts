import { describe, expect, it } from 'vitest';
import { allEventsOf, ask, submitJob, until } from './support.js';
import { endless, open } from '../support.js';
import { type Emulator, textToImageWorkflow, virtualClock } from '../../../src/emulator.js';

/** BLAKE3 of no bytes, of the specification's test vectors. */
const emptyHash = 'blake3:af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262';

const form = (bytes: Uint8Array<ArrayBuffer>, fields: Record<string, string> = {}): FormData => {
  const made = new FormData();
  for (const [name, value] of Object.entries(fields)) made.set(name, value);
  made.set('file', new Blob([bytes]), 'cat.png');
  return made;
};

const upload = (emulator: Emulator, bytes: Uint8Array<ArrayBuffer>, fields: Record<string, string> = {}) =>
  ask(emulator, 'POST', '/assets', { body: form(bytes, fields) });

/** A picture that the emulator made, and its asset. */
const makePicture = async (emulator: Emulator): Promise<{ id: string; hash: string; url: string }> => {
  const { id } = await submitJob(emulator, textToImageWorkflow({ steps: 1, width: 64, height: 64 }));
  await allEventsOf(emulator, id);
  const { body } = await ask(emulator, 'GET', `/jobs/${String(id)}`);
  return (body['outputs'] as [{ id: string; hash: string; url: string }])[0];
};

const loading = (asset: unknown) => ({
  '1': { class_type: 'LoadImage', inputs: { image: asset } },
  '2': { class_type: 'PreviewImage', inputs: { images: ['1', 0] } },
});

const reference = (id: unknown) => ({ __type: 'core/ASSET', info: { id } });

describe('assets', () => {
  it('are stored once by their hash, and known by it from then on', async () => {
    const emulator = await open({ dialect: 'v2' });
    const byHash = `/assets/by-hash/${encodeURIComponent(emptyHash)}`;
    expect((await ask(emulator, 'HEAD', byHash)).status).toBe(404);
    const fromHash = () =>
      ask(emulator, 'POST', '/assets/from-hash', { body: { hash: emptyHash, file_path: 'b.png' } });
    expect((await fromHash()).body).toMatchObject({ error: { code: 'blob_not_found' } });
    const first = await upload(emulator, new Uint8Array(), {
      content_type: 'image/png',
      file_path: 'in/ü "a".png',
    });
    expect([first.status, first.body['hash'], first.body['file_path']]).toEqual([
      201,
      emptyHash,
      'in/ü "a".png',
    ]);
    expect((await ask(emulator, 'HEAD', byHash)).status).toBe(200);
    expect((await upload(emulator, new Uint8Array(), { file_path: 'in/ü "a".png' })).body['id']).toBe(
      first.body['id'],
    );
    expect([(await fromHash()).status, (await fromHash()).status]).toEqual([201, 200]);
    expect((await ask(emulator, 'GET', `/assets/${String(first.body['id'])}`)).body['hash']).toBe(emptyHash);
  });

  it('are refused with another hash, in a bad form, beyond the limit, and under a path out of their folder', async () => {
    const emulator = await open({ dialect: 'v2', switches: { maxUploadBytes: 10 } });
    const codeOf = async (answer: ReturnType<typeof upload>) =>
      (await answer).body['error'] as { code: string };
    const bytes = new Uint8Array(3);
    expect(await codeOf(upload(emulator, bytes, { expected_hash: emptyHash }))).toMatchObject({
      code: 'hash_mismatch',
    });
    expect(await codeOf(upload(emulator, bytes, { file_path: '../x' }))).toMatchObject({
      code: 'validation_error',
    });
    expect(await codeOf(upload(emulator, bytes, { expires_in: '5' }))).toMatchObject({
      code: 'validation_error',
    });
    const late = form(bytes);
    late.set('file_path', 'a.png');
    expect(await codeOf(ask(emulator, 'POST', '/assets', { body: late }))).toMatchObject({
      code: 'validation_error',
    });
    expect(await codeOf(ask(emulator, 'POST', '/assets', { body: {} }))).toMatchObject({
      code: 'invalid_body',
    });
    expect(await codeOf(upload(emulator, new Uint8Array(11)))).toMatchObject({ code: 'payload_too_large' });
    expect(await codeOf(upload(emulator, new Uint8Array(100_000)))).toMatchObject({
      code: 'payload_too_large',
    });
  });

  it('run in workflows by reference, and are kept while a job uses them', async () => {
    const emulator = await open({ dialect: 'v2', concurrency: 2 });
    const picture = await makePicture(emulator);
    const job = await submitJob(emulator, loading(reference(picture.id)));
    expect((await allEventsOf(emulator, job['id'])).at(-1)?.data['status']).toBe('succeeded');
    expect((await ask(emulator, 'GET', `/jobs/${String(job['id'])}/workflow`)).body['workflow']).toEqual(
      loading(reference(picture.id)),
    );
    const missing = await ask(emulator, 'POST', '/jobs', { body: { workflow: loading(reference('none')) } });
    expect(missing.body).toMatchObject({
      error: { code: 'missing_asset', details: { missing_ids: ['none'] } },
    });

    const slow = await open({ dialect: 'v2', speed: 20 });
    const kept = (await upload(slow, new Uint8Array(4), { file_path: 'a.bin' })).body['id'];
    const using = await submitJob(slow, {
      ...endless,
      '2': { class_type: 'SlowNode', inputs: { steps: 1, anything: reference(kept) } },
    });
    expect((await ask(slow, 'DELETE', `/assets/${String(kept)}`)).body).toMatchObject({
      error: { code: 'asset_in_use' },
    });
    await ask(slow, 'POST', `/jobs/${String(using['id'])}/cancel`);
    await until(() => slow.ledger.jobs[0]?.state === 'cancelled');
    expect((await ask(slow, 'DELETE', `/assets/${String(kept)}`)).status).toBe(204);
    expect((await ask(slow, 'DELETE', `/assets/${String(kept)}`)).status).toBe(404);
  });

  it('have a life of their own, which naming them again makes longer', async () => {
    const clock = virtualClock();
    const emulator = await open({ dialect: 'v2', clock });
    const { body } = await upload(emulator, new Uint8Array(3), { file_path: 'a', expires_in: '60' });
    await clock.advance(50_000);
    await upload(emulator, new Uint8Array(3), { file_path: 'a', expires_in: '60' });
    await clock.advance(50_000);
    expect((await ask(emulator, 'GET', `/assets/${String(body['id'])}`)).status).toBe(200);
    await clock.advance(10_000);
    expect((await ask(emulator, 'GET', `/assets/${String(body['id'])}`)).status).toBe(404);
  });

  it('are served from storage without the key, or inline and in ranges', async () => {
    const emulator = await open({ dialect: 'v2' });
    const { url } = await makePicture(emulator);
    const redirect = await ask(emulator, 'GET', url);
    const location = redirect.headers.get('location') ?? '';
    expect([redirect.status, location.startsWith(emulator.storageUrl)]).toEqual([302, true]);
    const stored = await fetch(location);
    expect([stored.status, stored.headers.get('content-type')]).toEqual([200, 'image/png']);

    const inline = await open({ dialect: 'v2', switches: { content: 'inline' } });
    const own = await makePicture(inline);
    expect((await ask(inline, 'GET', own.url)).headers.get('content-type')).toBe('image/png');
    const part = await ask(inline, 'GET', own.url, { headers: { range: 'bytes=1-3' } });
    expect([part.status, part.text, part.headers.get('content-range')?.slice(0, 10)]).toEqual([
      206,
      'PNG',
      'bytes 1-3/',
    ]);
    const beyond = await ask(inline, 'GET', own.url, { headers: { range: 'bytes=99999999-' } });
    expect([beyond.status, beyond.body['error']]).toMatchObject([416, { code: 'range_not_satisfiable' }]);
  });
});
