import { dialects } from '../../src/dialects/dialects.js';
import { createRest } from '../../src/http/rest.js';
import { describe, expect, it } from 'vitest';
import { fakePlatform } from '../helpers/fake-platform.js';
import { httpConnection, leftOf, rightOf } from '../helpers/http-connection.js';
import type { Platform } from '../../src/platform/platform.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A local server whose queue has this many jobs of 64 KiB, the wanted one being the last; it makes them as they are read. */
const serverOf = (jobs: number) => {
  let made = 0;
  let discarded = 0;
  const workflow = JSON.stringify({ 3: { class_type: 'Note', inputs: { text: 'x'.repeat(64 * 1024) } } });
  // eslint-disable-next-line @typescript-eslint/require-await
  async function* listing() {
    yield bytes('{"queue_running": [[0, "first", {}, {}, []]], "queue_pending": [');
    for (; made < jobs; made += 1) {
      const id = made === jobs - 1 ? 'last' : `waiting-${made}`;
      yield bytes(`${made === 0 ? '' : ', '}[${made}, "${id}", ${workflow}, {}, ["3"]]`);
    }
    yield bytes(']}');
  }
  const platform: Platform = {
    ...fakePlatform(),
    request: () =>
      Promise.resolve({ status: 200, headers: {}, body: listing(), discard: () => void (discarded += 1) }),
  };
  const rest = createRest(httpConnection(platform, { dialect: dialects.local.http }));
  return { rest, made: () => made, discarded: () => discarded };
};

describe('the status of a job on a local server', () => {
  it('F32: is read from a queue of any size', async () => {
    const { rest } = serverOf(300);
    expect(rightOf(await rest.jobStatus('last')())).toMatchObject({ promptId: 'last', phase: 'pending' });
  });

  it('F32: reads no more of the queue than it has to', async () => {
    const { rest, made, discarded } = serverOf(300);
    expect(rightOf(await rest.jobStatus('waiting-3')())).toMatchObject({ phase: 'pending' });
    expect(made()).toBeLessThan(6);
    expect(discarded()).toBe(1);
  });

  it('F14: does not take a server without a queue for one that does not know the job', async () => {
    const platform = fakePlatform(() => ({ status: 404, body: '404: Not Found' }));
    const rest = createRest(httpConnection(platform, { dialect: dialects.local.http }));
    expect(leftOf(await rest.jobStatus('p')())).toMatchObject({ _tag: 'ProtocolChanged', status: 404 });
  });

  it('F30: tells a page in place of the queue as what it is', async () => {
    const platform = fakePlatform(() => ({ status: 200, body: '<html></html>' }));
    const rest = createRest(httpConnection(platform, { dialect: dialects.local.http }));
    expect(leftOf(await rest.jobStatus('p')())).toMatchObject({ _tag: 'Decode' });
  });
});
