import { createClient } from '../../src/node.js';
import { createGateway } from '../../src/gateway.js';
import { describe, expect, it } from 'vitest';
import { startEmulator, textToImageWorkflow } from '../../src/emulator.js';

interface Document {
  readonly id: string;
  readonly outputs: readonly { readonly id: string }[];
}

describe('a range of an output', () => {
  it.each(['cloud', 'v2', 'local'] as const)(
    'is all that the caller gets, and all that the gateway asks of the storage, over %s',
    async (dialect) => {
      await using emulator = await startEmulator({ dialect, speed: Infinity });
      await using client = createClient({ ...emulator, dialect });
      await using gateway = createGateway({ client, authorize: () => ({ name: 'ann' }) });
      const ask = (path: string, init?: RequestInit) =>
        gateway.fetch(new Request(`http://127.0.0.1${path}`, init));
      const submission = {
        workflow: textToImageWorkflow({ prompt: 'a pier', steps: 4, width: 64, height: 64 }),
      };
      const body = JSON.stringify(submission);
      const { id } = (await (await ask('/api/v2/jobs', { method: 'POST', body })).json()) as Document;
      await (await ask(`/jobs/${id}/events`)).text();
      const { outputs } = (await (await ask(`/api/v2/jobs/${id}`)).json()) as Document;
      const path = `/api/v2/assets/${outputs[0]!.id}/content`;
      const whole = await ask(path);
      const bytes = new Uint8Array(await whole.arrayBuffer());
      const etag = whole.headers.get('etag') ?? '';
      const total = bytes.length;

      const cases = [
        [{ range: 'bytes=10-' }, 10, total],
        [{ range: 'bytes=10-19' }, 10, 20],
        [{ range: 'bytes=-7' }, total - 7, total],
        [{ range: 'bytes=20-29', 'if-range': etag }, 20, 30],
      ] as const;
      for (const [headers, start, end] of cases) {
        const before = emulator.requests.length;
        const part = await ask(path, { headers });
        expect(part.status).toBe(206);
        expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(start, end))).toBe(true);
        expect(part.headers.get('content-range')).toBe(`bytes ${start}-${end - 1}/${total}`);
        const asked = emulator.requests.slice(before).map((request) => request.headers['range']);
        expect(asked).toContain(`bytes=${start}-`);
      }
      const stale = await ask(path, { headers: { range: 'bytes=10-19', 'if-range': '"other"' } });
      expect([stale.status, (await stale.arrayBuffer()).byteLength]).toEqual([200, total]);
      const beyond = await ask(path, { headers: { range: `bytes=${total}-`, 'if-range': etag } });
      expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${total}`]);
    },
  );
});
