import { describe, expect, it } from 'vitest';
import type { Emulator, StorageFault } from '../../../src/emulator.js';
import { call } from '../support.js';
import { faulty, strikes } from './support.js';

const content = Buffer.from('a text that is long enough to be cut somewhere in its middle');

/** An emulator with a file, and its signed address. */
const stored = async (
  fault: StorageFault,
): Promise<{ readonly emulator: Emulator; readonly fetchIt: () => Promise<Response> }> => {
  const emulator = await faulty([fault]);
  const form = new FormData();
  form.set('image', new Blob([content]), 'a.txt');
  const { body } = await call(emulator, 'POST', '/api/upload/image', form);
  const query = `filename=${String(body['name'])}`;
  const { headers } = await call(emulator, 'GET', `/api/view?${query}`);
  const location = headers.get('location') ?? '';
  return { emulator, fetchIt: () => fetch(location, { redirect: 'manual' }) };
};

const once = async (fault: object): Promise<Response> =>
  (await stored({ on: 'storage', ...fault } as StorageFault)).fetchIt();

describe('faults of the storage', () => {
  it('trigger once and are kept in the ledger', async () => {
    const { emulator, fetchIt } = await stored({ on: 'storage', do: 'expire' });
    const [first, second] = [await fetchIt(), await fetchIt()];
    expect([first.status, second.status]).toEqual([400, 200]);
    expect(await first.text()).toContain('<Code>ExpiredToken</Code>');
    expect(strikes(emulator)).toEqual([expect.stringMatching(/^GET \/signed\/[0-9a-f]+$/)]);
    expect(emulator.ledger.requests.storage).toHaveLength(2);
    expect(emulator.ledger.requests.api).toHaveLength(2);
  });

  it('G6 expire with 403 as well, and answer anything', async () => {
    expect((await once({ do: 'expire', status: 403 })).status).toBe(403);
    const answer = await once({ do: 'answer', status: 418, body: 'tea' });
    expect([answer.status, await answer.text()]).toEqual([418, 'tea']);
  });

  it('G8 truncate with an honest length', async () => {
    const answer = await once({ do: 'truncate', bytes: 7 });
    expect([answer.headers.get('content-length'), await answer.text()]).toEqual(['7', 'a text ']);
  });

  it('G10 send something else', async () => {
    const page = await once({ do: 'body', text: '<html>' });
    expect([page.status, page.headers.get('content-type'), await page.text()]).toEqual([
      200,
      'text/html; charset=utf-8',
      '<html>',
    ]);
    const bytes = await once({ do: 'body', base64: 'AAEC', type: 'image/png' });
    expect(bytes.headers.get('content-type')).toBe('image/png');
    expect([...new Uint8Array(await bytes.arrayBuffer())]).toEqual([0, 1, 2]);
  });

  it('G7 change the validator', async () => {
    const { fetchIt } = await stored({ on: 'storage', do: 'etag', value: '"other"', nth: 2 });
    const [before, after] = [await fetchIt(), await fetchIt()];
    expect(before.headers.get('etag')).not.toBe('"other"');
    expect(after.headers.get('etag')).toBe('"other"');
  });

  it('G2 G4 redirect in a loop or away', async () => {
    const loop = await once({ do: 'redirect' });
    expect(loop.status).toBe(302);
    expect(loop.headers.get('location')).toMatch(/^\/signed\/[0-9a-f]+\?X-Goog/);
    const away = await once({ do: 'redirect', location: 'http://169.254.169.254/', status: 307 });
    expect([away.status, away.headers.get('location')]).toEqual([307, 'http://169.254.169.254/']);
  });

  it('G9 omit the length of whole and truncated bodies', async () => {
    for (const bytes of [undefined, 10]) {
      const answer = await once({ do: 'no-length', ...(bytes === undefined ? {} : { bytes }) });
      expect([answer.headers.get('content-length'), answer.headers.get('transfer-encoding')]).toEqual([
        null,
        null,
      ]);
      expect(await answer.text()).toBe(content.subarray(0, bytes).toString());
    }
  });

  it('G9 G13 compress unasked, whole or cut', async () => {
    const whole = await once({ do: 'gzip' });
    expect(whole.headers.get('content-encoding')).toBe('gzip');
    expect(await whole.text()).toBe(content.toString());
    const cut = await once({ do: 'gzip', bytes: 20 });
    const size = Number(cut.headers.get('content-length'));
    expect(size).toBe(20);
    expect(await cut.text().catch(() => 'refused')).not.toBe(content.toString());
  });

  it.each([
    { do: 'cut', how: 'fin', bytes: 10 },
    { do: 'cut', how: 'rst', bytes: 10 },
    { do: 'cut' },
    { do: 'cut', phase: 'headers' },
  ])('break off under %j', async (fault) => {
    await expect(once(fault).then((answer) => answer.text())).rejects.toThrow(/terminated|fetch failed/);
  });

  it('G12 go on beyond the file, with an honest length', async () => {
    const answer = await once({ do: 'oversize', bytes: 200_000 });
    expect(answer.headers.get('content-length')).toBe(String(content.length + 200_000));
    expect(await answer.text()).toBe(content.toString() + ' '.repeat(200_000));
  });

  it('G12 never end, as far as anybody reads', async () => {
    const { emulator, fetchIt } = await stored({ on: 'storage', do: 'oversize' });
    const answer = await fetchIt();
    expect(answer.headers.get('content-length')).toBeNull();
    const reader = answer.body?.getReader();
    let size = 0;
    while (size < 10_000_000) size += ((await reader?.read())?.value as Uint8Array).byteLength;
    await reader?.cancel();
    expect((await fetchIt()).status).toBe(200);
    expect(strikes(emulator)).toHaveLength(1);
  });

  it('G12 tell a length that is never reached where they go on and are cut', async () => {
    const { fetchIt, emulator } = await stored({ on: 'storage', do: 'oversize', bytes: 1_000 });
    emulator.setFaults([
      { on: 'storage', do: 'oversize', bytes: 1_000 },
      { on: 'storage', do: 'cut', how: 'fin', bytes: content.length + 10 },
    ]);
    const answer = await fetchIt();
    expect(answer.headers.get('content-length')).toBe(String(content.length + 1_000));
    await expect(answer.text()).rejects.toThrow('terminated');
  });

  it('G2 redirect five times, and then give the file', async () => {
    const { fetchIt } = await stored({ on: 'storage', do: 'redirect', times: 5 });
    const statuses = [];
    for (let hop = 0; hop < 6; hop += 1) statuses.push((await fetchIt()).status);
    expect(statuses).toEqual([302, 302, 302, 302, 302, 200]);
  });

  it('stall in the middle', async () => {
    const answer = await once({ do: 'stall', bytes: 6 });
    const reader = answer.body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    expect(Buffer.from((value as Uint8Array | undefined) ?? []).toString()).toBe('a text');
    await reader?.cancel();
  });

  it.each([
    { do: 'slice', sizes: [3] },
    { do: 'drip', bytesPerSecond: 2000 },
  ])('come through whole under %j', async (fault) => {
    expect(await (await once(fault)).text()).toBe(content.toString());
  });
});
