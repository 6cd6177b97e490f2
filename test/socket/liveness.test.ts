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
  it('B4: pings every 25 s while the peer answers', async () => {
    const { clock, calls, receive } = watched();
    for (let seconds = 0; seconds < 100; seconds += 5) {
      await clock.advance(5_000);
      receive();
    }
    expect(calls).toEqual(['ping', 'ping', 'ping', 'ping']);
  });

  it('B1: closes at once when nothing arrives within 10 s of a ping', async () => {
    const { clock, calls } = watched();
    await clock.advance(34_999);
    expect(calls).toEqual(['ping']);
    await clock.advance(1);
    expect(calls).toEqual(['ping', 'close at once']);
  });

  it('B3: takes what came before the ping for no answer', async () => {
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

  it('judges nobody where the platform cannot ping', async () => {
    const { clock, calls } = watched(false);
    await clock.advance(100_000);
    expect(calls).toEqual([]);
  });

  it.each([true, false])('B5: closes at once when the machine has slept (can ping: %s)', async (canPing) => {
    const { clock, calls } = watched(canPing);
    await clock.advance(12_000);
    clock.stepWall(8 * 3_600_000);
    await clock.advance(3_000);
    expect(calls).toEqual(['close at once']);
    expect(clock.pending()).toBe(0);
  });

  it('B10: closes once after a program that was busy for 20 s, and not for one that was busy for 8 s', async () => {
    const busy = watched();
    busy.clock.block(20_000);
    await busy.clock.advance(0);
    expect(busy.calls).toEqual(['close at once']);
    const short = watched();
    short.clock.block(8_000);
    await short.clock.advance(0);
    expect(short.calls).toEqual([]);
  });

  it('B6: does not take a wall clock that is set back for sleep', async () => {
    const { clock, calls } = watched();
    clock.stepWall(-3_600_000);
    await clock.advance(20_000);
    expect(calls).toEqual([]);
  });
});
