import { describe, expect, it } from 'vitest';
import { call, endless, listen, quick, submit } from '../support.js';
import { closed, faulty, over, settle, strikes } from './support.js';

describe('faults of the handshake', () => {
  it('refuse, redirect and cut', async () => {
    const emulator = await faulty([
      { on: 'socket', nth: 1, do: 'refuse', status: 429 },
      { on: 'socket', nth: 2, do: 'redirect', location: 'http://127.0.0.1:9/elsewhere' },
      { on: 'socket', nth: 3, do: 'cut' },
      { on: 'socket', nth: 4, do: 'cut', how: 'fin' },
    ]);
    await expect(listen(emulator)).rejects.toThrow('429');
    await expect(listen(emulator)).rejects.toThrow('302');
    await expect(listen(emulator)).rejects.toThrow('ECONNRESET');
    await expect(listen(emulator)).rejects.toThrow('socket hang up');
    await (await listen(emulator)).until('status');
    expect(strikes(emulator)).toEqual(['handshake 1', 'handshake 2', 'handshake 3', 'handshake 4']);
    expect(emulator.ledger.sockets).toHaveLength(1);
  });

  it('never answer', async () => {
    const emulator = await faulty([{ on: 'socket', do: 'stall' }]);
    let isSettled = false;
    const settled = (): void => {
      isSettled = true;
    };
    const waiting = listen(emulator).then(settled, settled);
    while (emulator.ledger.faults.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await (await listen(emulator)).until('status');
    expect(isSettled).toBe(false);
    await emulator.close();
    await waiting;
  });
});

describe('faults of open sockets', () => {
  it.each(['rst', 'fin'] as const)('cut by %s after messages', async (how) => {
    const emulator = await faulty([{ on: 'socket', do: 'cut', how, after: { messages: 3 } }]);
    const listener = await listen(emulator);
    const promptId = await submit(emulator, quick);
    expect(await closed(listener)).toBe(1006);
    expect(listener.heard).toHaveLength(3);
    await over(emulator, promptId);
    const again = await listen(emulator);
    await again.until('status');
    expect(emulator.ledger.sockets).toMatchObject([
      { clientId: 'test', messages: 3, isOpen: false },
      { clientId: 'test', messages: 1, isOpen: true },
    ]);
  });

  it('cut after bytes, in the middle of a message', async () => {
    const emulator = await faulty([{ on: 'socket', do: 'cut', how: 'fin', after: { bytes: 60 } }]);
    const listener = await listen(emulator);
    void submit(emulator, quick);
    expect(await closed(listener)).toBe(1006);
    expect(listener.heard).toHaveLength(1);
  });

  it('cut after a time', async () => {
    const emulator = await faulty([{ on: 'socket', do: 'cut', after: { ms: 5 } }]);
    expect(await closed(await listen(emulator))).toBe(1006);
  });

  it('close with a code', async () => {
    const emulator = await faulty([
      { on: 'socket', do: 'close', code: 1013, reason: 'try again later', after: { messages: 1 } },
    ]);
    expect(await closed(await listen(emulator))).toBe(1013);
  });

  it('mute: pings are answered, messages are lost', async () => {
    const emulator = await faulty([{ on: 'socket', do: 'mute', after: { messages: 1 } }]);
    const listener = await listen(emulator);
    await over(emulator, await submit(emulator, quick));
    await settle(listener);
    expect(listener.heard.map(({ type }) => type)).toEqual(['status']);
  });

  it('blackhole: open, and nothing is answered', async () => {
    const emulator = await faulty([{ on: 'socket', do: 'blackhole', after: { messages: 1 } }]);
    const listener = await listen(emulator);
    let isAnswered = false;
    listener.socket.once('pong', () => {
      isAnswered = true;
    });
    listener.socket.ping();
    await over(emulator, await submit(emulator, quick));
    const other = await listen(emulator);
    await settle(other);
    await settle(other);
    expect(isAnswered).toBe(false);
    expect(listener.socket.readyState).toBe(listener.socket.OPEN);
    expect(listener.heard).toHaveLength(1);
  });

  it.each([{ messages: 1 }, { bytes: 60 }])('stall for a while after %j, and lose nothing', async (after) => {
    const emulator = await faulty([{ on: 'socket', do: 'stall', ms: 250, after }]);
    const listener = await listen(emulator);
    const promptId = await submit(emulator, quick);
    await over(emulator, promptId);
    expect(listener.heard.map(({ type }) => type)).not.toContain('execution_success');
    await listener.until('execution_success');
    await listener.until('executing', ({ node }) => node === null);
  });

  it('stall for good', async () => {
    const emulator = await faulty([{ on: 'socket', do: 'stall', after: { messages: 2 } }]);
    const listener = await listen(emulator);
    await over(emulator, await submit(emulator, quick));
    await settle(await listen(emulator));
    expect(listener.heard).toHaveLength(2);
  });

  it.each([
    { on: 'socket', do: 'slice', sizes: [1, 3, 2] },
    { on: 'socket', do: 'drip', bytesPerSecond: 40_000 },
  ] as const)('come through in order under %j', async (fault) => {
    const emulator = await faulty([fault]);
    const listener = await listen(emulator, { flags: {} });
    const promptId = await submit(emulator, quick);
    await listener.until('executing', ({ node }) => node === null);
    const types = listener.heard.map(({ type }) => type);
    expect(types.filter((type) => type === 'progress')).toHaveLength(2);
    expect(types.indexOf('execution_start')).toBeLessThan(types.indexOf('execution_success'));
    expect(promptId).not.toBe('');
    const gone = closed(listener);
    listener.socket.close(1000);
    expect(await gone).toBe(1000);
  });

  it('leave open sockets alone when they are set later, and end with the emulator', async () => {
    const emulator = await faulty([], { speed: 20 });
    const listener = await listen(emulator);
    emulator.setFaults([{ on: 'socket', do: 'mute', times: 'every' }]);
    await submit(emulator, endless);
    await listener.until('progress');
    const deaf = await listen(emulator);
    await settle(deaf);
    expect(deaf.heard).toEqual([]);
    await call(emulator, 'POST', '/api/interrupt');
    await listener.until('execution_interrupted');
  });
});
