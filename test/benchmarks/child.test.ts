import { once } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { startChild } from '../../benchmarks/tools/child.js';
import { mebibyte } from '../../benchmarks/tools/sizes.js';

afterEach(() => void vi.useRealTimers());

describe('a process of a benchmark', () => {
  it("is ended where it can't finish, and named with what it was asked for", async () => {
    const child = startChild('sender');
    const port = await child.ask<number>('port');
    const socket = new WebSocket(`ws://127.0.0.1:${port}/way/ws`);
    await once(socket, 'open');
    // Nobody reads, so that the sender waits for ever with what fits into no buffer of the system.
    socket.pause();
    await child.ask({ to: 'way', load: { kind: 'preview', count: 64, size: mebibyte } });

    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const answer = expect(child.ask('go')).rejects.toThrow("sender did not answer within 5 minutes: 'go'");
    vi.advanceTimersByTime(5 * 60_000);
    await answer;
    socket.resume();
    await once(socket, 'close');
    await child.end();
  });
});
