import { describe, expect, it } from 'vitest';
import type { BodySink } from '../../../src/emulator/http/streamed-body.js';
import type { FeedListener, JobFeed } from '../../../src/emulator/v2/job-feed.js';
import { openEventStream } from '../../../src/emulator/v2/event-stream.js';
import type { ServiceMessage } from '../../../src/emulator/messages.js';
import { virtualClock } from '../../../src/emulator.js';

describe('a client that reads more slowly than events come', () => {
  it('gets the newest preview and progress once it has caught up, and every other event', () => {
    const written: string[] = [];
    let isFree = true;
    let onDrain = (): void => undefined;
    let listener: FeedListener | undefined;
    const sink: BodySink = {
      write: (bytes) => {
        written.push(Buffer.from(bytes).toString());
        return isFree;
      },
      onDrain: (drained) => {
        onDrain = drained;
      },
      onClose: () => undefined,
      end: () => written.push('end'),
      abort: () => undefined,
    };
    const feed: JobFeed = {
      job: { id: 'a' } as JobFeed['job'],
      metadata: () => undefined,
      outputs: [],
      status: () => 'running',
      queuePosition: () => null,
      progress: () => undefined,
      preview: () => undefined,
      listen: (given) => {
        listener = given;
        return () => undefined;
      },
    };
    let encoded = 0;
    const preview = (byte: number): ServiceMessage => ({
      kind: 'preview',
      layout: 4,
      metadata: {
        node_id: '3',
        display_node_id: '3',
        real_node_id: '3',
        prompt_id: 'a',
        parent_node_id: null,
      },
      picture: () => {
        encoded += 1;
        return { mediaType: 'image/png', bytes: Uint8Array.of(byte) };
      },
    });
    const tell = (type: string, data: Record<string, unknown>): void =>
      listener?.onEvent({ kind: 'event', type, data });

    openEventStream({
      feed,
      sink,
      clock: virtualClock(),
      keepAliveMs: 1000,
      origin: '',
      onSent: () => undefined,
    });
    isFree = false;
    tell('progress', { value: 0 });
    written.length = 0;
    for (let step = 0; step < 1000; step += 1) {
      tell('progress', { value: step / 1000 });
      listener?.onEvent(preview(step % 256));
    }
    expect([written, encoded]).toEqual([[], 0]);
    isFree = true;
    onDrain();
    expect(encoded).toBe(1);
    isFree = false;
    tell('output', { id: 'o', url: '/c' });
    tell('progress', { value: 1 });
    tell('status', { status: 'succeeded' });
    listener?.onEnd();
    expect(written.map((text) => text.replaceAll('\n', ' ').trim())).toEqual([
      'event: progress data: {"value":0.999}',
      'event: preview data: {"node_id":"3","content_type":"image/png","data_base64":"5w=="}',
      'event: output data: {"id":"o","url":"/c"}',
      'event: progress data: {"value":1}',
      'event: status data: {"status":"succeeded"}',
      'end',
    ]);
  });
});
