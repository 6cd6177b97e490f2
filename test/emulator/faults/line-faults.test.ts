import { describe, expect, it } from 'vitest';
import { virtualClock } from '../../../src/emulator.js';
import { call, listen, quick, submit } from '../support.js';
import { closed, faulty, over, settle } from './support.js';

describe('faults of the line', () => {
  it.each(['fin', 'rst'] as const)('B4 close a socket by %s once nothing passes', async (how) => {
    const clock = virtualClock();
    const emulator = await faulty([{ on: 'socket', do: 'idle-close', ms: 60_000, how }], { clock });
    const listener = await listen(emulator);
    await listener.until('status');
    await clock.advance(59_999);
    await settle(await listen(emulator));
    expect(listener.socket.readyState).toBe(listener.socket.OPEN);
    const gone = closed(listener);
    await clock.advance(1);
    expect(await gone).toBe(1006);
    while (emulator.ledger.sockets[0]?.isOpen !== false)
      await new Promise((resolve) => setImmediate(resolve));
  });

  it('B4 leave a socket alone that keeps pinging, and wait anew from its last ping', async () => {
    const clock = virtualClock();
    const emulator = await faulty([{ on: 'socket', do: 'idle-close', ms: 60_000 }], { clock });
    const listener = await listen(emulator);
    for (let ping = 0; ping < 5; ping += 1) {
      await clock.advance(59_999);
      await settle(listener);
    }
    const gone = closed(listener);
    await clock.advance(60_000);
    expect(await gone).toBe(1006);
  });

  it('B9 let everything come later, in order, and nothing get lost', async () => {
    const emulator = await faulty([{ on: 'socket', do: 'latency', ms: 200 }]);
    const listener = await listen(emulator, { flags: {} });
    await over(emulator, await submit(emulator, quick));
    expect(listener.heard.map(({ type }) => type)).not.toContain('execution_success');
    await listener.until('executing', ({ node }) => node === null);
    const types = listener.heard.map(({ type }) => type);
    expect(types.indexOf('execution_start')).toBeLessThan(types.indexOf('execution_success'));
    const gone = closed(listener);
    listener.socket.close(1000);
    expect(await gone).toBe(1000);
  });

  it('B9 combine latency, pieces and a cut', async () => {
    const emulator = await faulty([
      { on: 'socket', do: 'latency', ms: 20 },
      { on: 'socket', do: 'slice', sizes: [1] },
      { on: 'socket', do: 'cut', how: 'fin', after: { bytes: 60 } },
    ]);
    const listener = await listen(emulator);
    void submit(emulator, quick);
    expect(await closed(listener)).toBe(1006);
    expect(listener.heard).toHaveLength(1);
  });

  it('B9 answer later', async () => {
    const emulator = await faulty([{ on: 'http', do: 'latency', ms: 200 }]);
    const answer = call(emulator, 'GET', '/api/user');
    while (emulator.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(await Promise.race([answer, call(emulator, 'GET', '/api/queue')])).toMatchObject({
      body: { queue_running: [] },
    });
    expect((await answer).status).toBe(200);
  });
});
