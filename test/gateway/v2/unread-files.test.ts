import { describe, expect, it } from 'vitest';
import { aJob } from './a-job.js';
import { content } from '../../helpers/output-content.js';
import { contentResponse } from '../../../src/server/gateway/v2/content.js';
import { createSizeFinder } from '../../../src/server/gateway/v2/output-sizes.js';
import { fakePlatform } from '../../helpers/fake-platform.js';
import type { FileContent } from 'promptwire';
import { readableContent } from '../../../src/core/http/view.js';
import { right } from 'fp-ts/lib/Either.js';
import { virtualClock } from '../../../src/testing/virtual-clock.js';
import { webhookSender } from '../../../src/server/gateway/node/webhook-sender.js';

/** A file of the service that counts how often it is let go of. */
const file = (text: string): { readonly file: FileContent; readonly discarded: () => number } => {
  let discarded = 0;
  const bytes = { ...content([text], text.length), etag: '"1"', discard: () => void (discarded += 1) };
  return { file: readableContent(bytes), discarded: () => discarded };
};

/** What the service sends and the gateway does not pass on would hold a connection to the service. */
describe('the gateway lets go', () => {
  it('of a file whose asked range it does not have', () => {
    const { file: whole, discarded } = file('0123456789');
    const request = new Request('http://gateway.test/', { headers: { range: 'bytes=10-' } });
    expect(contentResponse(request, whole, { name: 'a.png', contentType: 'image/png' })).toEqual({
      size: 10,
    });
    expect(discarded()).toBe(1);
  });

  it('of a range whose caller leaves before it reads', async () => {
    const { file: whole, discarded } = file('0123456789');
    const request = new Request('http://gateway.test/', { headers: { range: 'bytes=2-4' } });
    const answer = contentResponse(request, whole, { name: 'a.png', contentType: 'image/png' });
    expect(answer).toMatchObject({ status: 206 });
    await (answer as Response).body?.cancel();
    expect(discarded()).toBe(1);
  });

  it('of a file that it only asked for its size', async () => {
    const { file: whole, discarded } = file('0123456789');
    const sizes = createSizeFinder({ view: () => () => Promise.resolve(right(whole)) });
    const outputs = { '9': { images: [{ filename: 'a.png', subfolder: '', type: 'output' }] } };
    const job = aJob({}, { phase: 'completed', outputs });
    const [found] = await sizes.of(job);
    expect([found?.[1], discarded()]).toEqual([10, 1]);
    await sizes.of(job);
    expect(discarded()).toBe(1);
  });

  it('N2 of a file whose head took longer than it waited, and knows its size then', async () => {
    const { file: whole, discarded } = file('0123456789');
    const clock = virtualClock();
    let begin = (): void => undefined;
    const head = new Promise<void>((resolve) => (begin = resolve));
    const options: unknown[] = [];
    const view = (...[, , more]: readonly unknown[]) => {
      options.push(more);
      return () => head.then(() => right(whole));
    };
    const sizes = createSizeFinder({ view }, clock);
    const outputs = { '9': { images: [{ filename: 'a.png', subfolder: '', type: 'output' }] } };
    const job = aJob({}, { phase: 'completed', outputs });
    expect([...(await clock.until(sizes.of(job)))]).toEqual([]);
    expect(clock.now()).toBe(1_000);
    begin();
    expect([...(await sizes.of(job)).values()]).toEqual([10]);
    expect([options, discarded()]).toEqual([[undefined], 1]);
  });

  it('of what the receiver of a webhook answers', async () => {
    const platform = fakePlatform(() => ({ status: 200, body: 'x'.repeat(100_000) }));
    const sender = webhookSender(platform);
    const { signal } = new AbortController();
    const hook = { url: 'https://hook.example/', headers: {}, body: '{}', anyAddress: false, signal };
    expect(await sender.send(hook)).toMatchObject({ status: 200 });
    expect(platform.unread()).toEqual([]);
  });
});
