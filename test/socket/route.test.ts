import { describe, expect, it } from 'vitest';
import { decodeFrame } from '../../src/protocol/frames/decode-frame.js';
import type { Frame } from '../../src/protocol/frames/frame.js';
import { routes } from '../../src/socket/route.js';

const event = (type: string, promptId: string): Frame =>
  decodeFrame(JSON.stringify({ type, data: { prompt_id: promptId, timestamp: 1, nodes: [] } }));
const picture: Frame = { _tag: 'Preview', mediaType: 'image/png', image: new Uint8Array([1]) };

describe('routes', () => {
  it('delivers to every watcher of the job and to no other', () => {
    const jobs = routes();
    const seen: string[] = [];
    jobs.of('a').subscribe(() => seen.push('a1'));
    jobs.of('a').subscribe(() => seen.push('a2'));
    jobs.of('b').subscribe(() => seen.push('b'));
    jobs.deliver(event('execution_start', 'a'));
    jobs.deliver(event('execution_start', 'stranger'));
    expect(seen).toEqual(['a1', 'a2']);
  });

  it('forgets a job with its last watcher', () => {
    const jobs = routes();
    const first = jobs.of('a').subscribe();
    const second = jobs.of('a').subscribe();
    expect(jobs.size).toBe(1);
    first.unsubscribe();
    expect(jobs.has('a')).toBe(true);
    second.unsubscribe();
    expect(jobs.has('a')).toBe(false);
    expect(jobs.size).toBe(0);
  });

  it('gives a picture without a name to the only running job, foreign ones counted', () => {
    const jobs = routes();
    const seen: Frame[] = [];
    jobs.of('a').subscribe((frame) => seen.push(frame));
    jobs.deliver(event('execution_start', 'a'));
    jobs.deliver(picture);
    jobs.deliver(event('execution_start', 'stranger'));
    jobs.deliver(picture);
    jobs.deliver(event('execution_success', 'stranger'));
    jobs.deliver(picture);
    expect(seen.filter(({ _tag }) => _tag === 'Preview')).toHaveLength(2);
  });

  it('gives pictures to nobody after forgetting, until an event tells who runs', () => {
    const jobs = routes();
    const seen: Frame[] = [];
    jobs.of('a').subscribe((frame) => seen.push(frame));
    jobs.deliver(event('execution_start', 'a'));
    jobs.forget();
    jobs.deliver(picture);
    expect(seen).toHaveLength(1);
    jobs.deliver(event('execution_cached', 'a'));
    jobs.deliver(picture);
    expect(seen.at(-1)).toBe(picture);
  });

  it('survives a watcher that leaves while a frame is delivered', () => {
    const jobs = routes();
    const seen: string[] = [];
    const first = jobs.of('a').subscribe(() => {
      seen.push('first');
      first.unsubscribe();
    });
    jobs.of('a').subscribe(() => seen.push('second'));
    jobs.deliver(event('execution_start', 'a'));
    jobs.deliver(event('execution_success', 'a'));
    expect(seen).toEqual(['first', 'second', 'second']);
  });
});
