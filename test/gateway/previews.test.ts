import { createGateway } from '../../src/gateway.js';
import { createClient } from '../../src/node.js';
import { describe, expect, it } from 'vitest';
import { readerOf } from './support.js';
import { startEmulator, textToImageWorkflow } from '../../src/emulator.js';

describe('the address of a preview in an event', () => {
  it('gives the picture without a header, of streams of one job and of all jobs', async () => {
    await using emulator = await startEmulator({ dialect: 'local', speed: 20 });
    await using client = createClient({ ...emulator, dialect: 'local' });
    const authorize = (request: Request) =>
      request.headers.has('authorization') ? { name: 'ann' } : undefined;
    await using gateway = createGateway({ client, authorize, mount: '/comfy' });
    const ask = (path: string, init: RequestInit = {}) =>
      gateway.fetch(
        new Request(`http://127.0.0.1/comfy${path}`, { headers: { authorization: 'Bearer x' }, ...init }),
      );
    const submission = {
      workflow: textToImageWorkflow({ prompt: 'a pier', steps: 1000, width: 64, height: 64 }),
    };
    const { id } = (await (
      await ask('/api/v2/jobs', { method: 'POST', body: JSON.stringify(submission) })
    ).json()) as { readonly id: string };

    for (const path of [`/jobs/${id}/events`, '/events']) {
      const reader = readerOf((await ask(path)).body!, 'sse');
      let url = '';
      while (url === '') {
        const event = await reader.next();
        if (event?.event === 'preview') url = String(event.data['url']);
      }
      const picture = await gateway.fetch(new Request(url));
      expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
      const events = new URL(url);
      events.pathname = `/comfy${path}`;
      expect((await gateway.fetch(new Request(events))).status).toBe(401);
      await reader.cut();
    }
  });
});
