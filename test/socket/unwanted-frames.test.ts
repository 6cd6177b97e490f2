import { describe, expect, it } from 'vitest';
import type { Frame } from '../../src/protocol/frames/frame.js';
import { frameSource } from '../../src/socket/frame-source.js';
import { encodePreview, encodePreviewWithMetadata, encodeProgressText } from '../helpers/encode-frame.js';
import { fakePlatform } from '../helpers/fake-platform.js';

const picture = new Uint8Array([0xff, 0xd8, 0xff]);
const previewOf = (promptId: string) =>
  encodePreviewWithMetadata({ prompt_id: promptId, image_type: 'image/jpeg' }, picture);

/** A connection that is open for one job. */
const connected = () => {
  const platform = fakePlatform();
  const source = frameSource(platform, { url: (id) => `ws://127.0.0.1/ws?clientId=${id}`, lingerMs: 5_000 });
  const seen: Frame[] = [];
  source.listen({ promptId: 'own', next: (frame) => seen.push(frame), runsIn: undefined });
  const subscription = source.connected.subscribe();
  const socket = platform.sockets[0]!;
  socket.open();
  return { platform, source, socket, seen, subscription };
};

describe('frameSource, asked for a binary message before it is read', () => {
  it('C11: wants nothing of a job that nobody here follows', () => {
    const { socket } = connected();
    socket.receive({ type: 'feature_flags', data: { supports_progress_text_metadata: true } });
    expect(socket.wants(previewOf('foreign'))).toBe(false);
    expect(socket.wants(encodeProgressText('7', 'hi', 'foreign'))).toBe(false);
    expect(socket.wants(previewOf('own'))).toBe(true);
    expect(socket.wants(encodeProgressText('7', 'hi', 'own'))).toBe(true);
  });

  it('wants whatever does not say yet whose it is', () => {
    const { socket } = connected();
    const whole = previewOf('foreign');
    const metadataEnds = whole.length - picture.length;
    for (let bytes = 0; bytes <= whole.length; bytes += 1) {
      expect(socket.wants(whole.subarray(0, bytes))).toBe(bytes < metadataEnds);
    }
    expect(socket.wants(encodePreview(1, picture))).toBe(true);
    expect(socket.wants(encodePreviewWithMetadata({ prompt_id: '' }, picture))).toBe(true);
  });

  it('wants everything while somebody takes every frame, or may claim it', () => {
    const { source, socket } = connected();
    const all = source.frames.subscribe();
    expect(socket.wants(previewOf('foreign'))).toBe(true);
    all.unsubscribe();
    expect(socket.wants(previewOf('foreign'))).toBe(false);
    const expected = source.expect();
    expect(socket.wants(previewOf('foreign'))).toBe(true);
    expected.end();
    expect(socket.wants(previewOf('foreign'))).toBe(false);
  });

  it('C9: counts it, and knows that its job runs', () => {
    const { source, socket, seen } = connected();
    socket.receive({ type: 'execution_start', data: { prompt_id: 'own', timestamp: 1 } });
    expect(source.heard).toBe(1);
    socket.wants(previewOf('foreign'));
    expect(source.heard).toBe(2);
    socket.receive(encodePreview(1, picture).buffer);
    expect(seen).toHaveLength(1);
  });

  it('takes it for a sign of life', async () => {
    const { platform, socket } = connected();
    await platform.clock.advance(25_000);
    expect(socket.pings()).toBe(1);
    socket.wants(previewOf('foreign'));
    await platform.clock.advance(10_000);
    expect(socket.closedBy()).toBeUndefined();
    await platform.clock.advance(60_000);
    expect(socket.closedBy()).toBe('client at once');
  });

  it('wants nothing any more when it was left', () => {
    const { platform, socket, subscription } = connected();
    subscription.unsubscribe();
    return platform.clock.advance(5_000).then(() => {
      expect(socket.closedBy()).toBe('client');
      expect(socket.wants(previewOf('own'))).toBe(false);
    });
  });
});
