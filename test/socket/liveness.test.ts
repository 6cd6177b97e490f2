import { describe, expect, it } from 'vitest';
import { startLiveness } from '../../src/socket/liveness.js';
import type { SocketHandle } from '../../src/socket/platform.js';
import { virtualClock } from '../helpers/virtual-clock.js';

const watched = (withPing = true) => {
  const clock = virtualClock();
  const calls: string[] = [];
  let received = 0;
  const socket: SocketHandle = {
    send: (text) => calls.push(`send ${text}`),
    close: (immediately) => calls.push(immediately === true ? 'close at once' : 'close'),
    ...(withPing ? { ping: () => calls.push('ping') } : {}),
  };
  const stop = startLiveness(clock, socket, () => received);
  return { clock, calls, stop, receive: () => (received += 1) };
};

describe('startLiveness', () => {
  it('pings every 25 s while the peer answers', async () => {
    const { clock, calls, receive } = watched();
    for (let round = 0; round < 3; round += 1) {
      await clock.advance(25_000);
      receive();
      await clock.advance(10_000);
    }
    expect(calls).toEqual(['ping', 'ping', 'ping']);
  });

  it('closes at once when nothing arrives within 10 s of a ping', async () => {
    const { clock, calls } = watched();
    await clock.advance(34_999);
    expect(calls).toEqual(['ping']);
    await clock.advance(1);
    expect(calls).toEqual(['ping', 'close at once']);
  });

  it('takes what came before the ping for no answer', async () => {
    const { clock, calls, receive } = watched();
    receive();
    await clock.advance(35_000);
    expect(calls).toEqual(['ping', 'close at once']);
  });

  it('leaves no timer once stopped, in either wait', async () => {
    const first = watched();
    first.stop();
    expect(first.clock.pending()).toBe(0);
    const second = watched();
    await second.clock.advance(26_000);
    second.stop();
    expect(second.clock.pending()).toBe(0);
  });

  it('does nothing where the platform cannot ping', async () => {
    const { clock, calls } = watched(false);
    expect(clock.pending()).toBe(0);
    await clock.advance(100_000);
    expect(calls).toEqual([]);
  });
});
