import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { Emulator, IllegalFrame, SocketFault } from '../../../src/emulator.js';
import { realClock } from '../../../src/emulator/clock.js';
import { flood } from '../../../src/emulator/faults/socket-interceptor.js';
import { listen, quick, submit } from '../support.js';
import { listenLocal, openLocal } from '../local/support.js';
import { closed, faulty, over, settle } from './support.js';

const after = { messages: 2 };

/** A socket that the fault strikes while a job runs, and the code of what its library says of it. */
const struckBy = async (
  fault: object,
): Promise<{ readonly emulator: Emulator; readonly code: Promise<unknown> }> => {
  const emulator = await faulty([{ on: 'socket', ...fault } as SocketFault]);
  const { socket } = await listen(emulator);
  const code = new Promise((resolve) =>
    socket.once('error', (error) => resolve('code' in error ? error.code : error.message)),
  );
  void submit(emulator, quick);
  return { emulator, code };
};

describe('faults of frames', () => {
  it.each<[string, IllegalFrame, string]>([
    ['D12', 'reserved bits', 'WS_ERR_UNEXPECTED_RSV_2_3'],
    ['D12', 'masked', 'WS_ERR_UNEXPECTED_MASK'],
    ['D12', 'bad opcode', 'WS_ERR_INVALID_OPCODE'],
    ['D12', 'bad close code', 'WS_ERR_INVALID_CLOSE_CODE'],
    ['D12', 'short close', 'WS_ERR_INVALID_CONTROL_PAYLOAD_LENGTH'],
    ['D12', 'long ping', 'WS_ERR_INVALID_CONTROL_PAYLOAD_LENGTH'],
    ['D12', 'fragmented ping', 'WS_ERR_EXPECTED_FIN'],
    ['D12', 'stray continuation', 'WS_ERR_INVALID_OPCODE'],
    ['D7', 'invalid utf-8', 'WS_ERR_INVALID_UTF8'],
  ])('%s send a frame against the rules: %s', async (_id, frame, expected) => {
    const { code, emulator } = await struckBy({ do: 'illegal', frame, after });
    expect(await code).toBe(expected);
    const [job] = emulator.ledger.jobs;
    await over(emulator, job?.promptId ?? '');
    expect(emulator.ledger.jobs[0]?.state).toBe('completed');
  });

  it('D12 send any bytes, in the middle of everything', async () => {
    expect(await (await struckBy({ do: 'bytes', hex: '8500', after })).code).toBe('WS_ERR_INVALID_OPCODE');
    const counted = await struckBy({ do: 'illegal', frame: 'masked', after: { bytes: 130 } });
    expect(await counted.code).toBe('WS_ERR_UNEXPECTED_MASK');
  });

  it('D10 send a message one byte at a time, which a careful peer refuses', async () => {
    expect(await (await struckBy({ do: 'fragments', after })).code).toBe('WS_ERR_TOO_MANY_BUFFERED_PARTS');
  });

  it('D10 send a message of some fragments, and go on where it is taken', async () => {
    const emulator = await faulty([{ on: 'socket', do: 'fragments', count: 400, after }]);
    const listener = await listen(emulator);
    await over(emulator, await submit(emulator, quick));
    await listener.until('padded');
    await listener.until('executing', ({ node }) => node === null);
    expect(listener.heard.findIndex(({ type }) => type === 'padded')).toBe(2);
  });

  it('D8 send a message of any size', async () => {
    const emulator = await faulty([{ on: 'socket', do: 'oversize', bytes: 3_000_000, after }]);
    const listener = await listen(emulator);
    const sizes: number[] = [];
    listener.socket.on('message', (data: Buffer) => sizes.push(data.length));
    await over(emulator, await submit(emulator, quick));
    await settle(listener);
    await listener.until('executing', ({ node }) => node === null);
    expect(sizes.filter((size) => size > 1_000_000)).toEqual([3_000_000]);
  });

  it('D9 send a compressed frame without a negotiated extension', async () => {
    expect(await (await struckBy({ do: 'bomb', bytes: 100_000, after })).code).toBe(
      'WS_ERR_UNEXPECTED_RSV_1',
    );
  });

  it('D9 send a thousand times less than what unfolds of it, where compression was agreed on', async () => {
    const emulator = await openLocal({ faults: [{ on: 'socket', do: 'bomb', bytes: 5_000_000 }] });
    const { until, settle: settled } = await listenLocal(emulator, 'me');
    expect((await until('padded')).text).toHaveLength(5_000_000);
    await until('status');
    await settled();
  });

  it('C11 flood with previews of foreign jobs', async () => {
    const emulator = await faulty([
      { on: 'socket', do: 'flood', jobs: 2, hz: 1000, previewBytes: 5_000, after: { messages: 1 } },
    ]);
    const { heard, until, socket } = await listen(emulator);
    const first = await until('binary:1');
    expect(first.bytes).toHaveLength(5_004);
    const begun = heard.filter(({ type }) => type === 'execution_start').map(({ data }) => data['prompt_id']);
    expect(new Set(begun).size).toBe(2);
    const gone = closed({ socket });
    socket.close(1000);
    expect(await gone).toBe(1000);
  });
});

describe('flood', () => {
  it('C11 L4 sets no timer for a socket that is over before it begins', () => {
    const timers: number[] = [];
    const clock = { ...realClock, after: (ms: number) => (timers.push(ms), () => undefined) };
    const client = {
      send: () => undefined,
      close: () => undefined,
      onText: () => undefined,
      onClose: () => undefined,
    };
    const begin = (readyState: 1 | 3): void =>
      flood({ do: 'flood' }, { client, clock, uuid: () => 'a', socket: { readyState, OPEN: 1 } });
    begin(3);
    expect(timers).toEqual([]);
    begin(1);
    expect(timers).toEqual([100]);
  });
});

describe('faults of the handshake', () => {
  it.each([
    ['D11', { 'sec-websocket-extensions': 'permessage-deflate; server_max_window_bits=99' }],
    ['D11', { 'sec-websocket-extensions': 'permessage-deflate; server_max_window_bits' }],
    ['D9', { 'sec-websocket-extensions': 'permessage-deflate' }],
    ['A7', { 'sec-websocket-protocol': 'not-offered' }],
  ])('%s succeed with headers that no client asked for: %j', async (_id, headers) => {
    const emulator = await faulty([{ on: 'socket', do: 'headers', headers }]);
    const refused = new Promise<Error>((resolve) => {
      const socket = new WebSocket(`${emulator.wsUrl}/ws?token=${emulator.apiKey}`, {
        perMessageDeflate: false,
      });
      socket.once('error', resolve);
    });
    expect((await refused).message).toMatch(/Sec-WebSocket-Extensions|subprotocol/);
    await (await listen(emulator)).until('status');
  });
});
