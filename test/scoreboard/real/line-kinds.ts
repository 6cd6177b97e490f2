import type { Fault, IllegalFrame } from '../../../src/emulator.js';
import type { Random } from '../../simulation/random.js';
import type { Strike } from './plan.js';

/** Makes one kind of fault of a size that the seed has. */
export type Draw = (random: Random) => Omit<Strike, 'index' | 'kind'>;

const socket =
  (draw: (random: Random) => object): Draw =>
  (random) => ({
    faults: [{ on: 'socket', ...occurrence(random), ...draw(random) } as Fault],
  });

const http =
  (draw: (random: Random) => object): Draw =>
  (random) => ({
    faults: [{ on: 'http', ...occurrence(random, 6), ...draw(random) } as Fault],
  });

const occurrence = (random: Random, most = 2): object => ({
  nth: random.between(1, most),
  times: random.between(1, 3),
});

const after = (random: Random): object =>
  random.chance(0.7)
    ? { messages: random.between(1, 14) }
    : random.chance(0.5)
      ? { bytes: random.between(1, 2_500) }
      : { ms: random.between(0, 60) };

const how = (random: Random): string => random.pick(['rst', 'fin']);
const phase = (random: Random): string => random.pick(['before', 'afterCommit', 'headers', 'body']);

const illegal = (frame: IllegalFrame): Draw =>
  socket((random) => ({ do: 'illegal', frame, after: after(random) }));

/** What the network and the peer's frames do to a client, by name. */
export const lineKinds = {
  'handshake reset': socket((random) => ({ do: 'cut', how: how(random) })),
  'handshake never answered': socket(() => ({ do: 'stall' })),
  'handshake 503': socket(() => ({ do: 'refuse', status: 503 })),
  'bad window bits': socket(() => ({
    do: 'headers',
    headers: { 'sec-websocket-extensions': 'permessage-deflate; server_max_window_bits=99' },
  })),
  'socket reset': socket((random) => ({ do: 'cut', how: 'rst', after: after(random) })),
  'socket ends without a close': socket((random) => ({ do: 'cut', how: 'fin', after: after(random) })),
  'socket closed': socket((random) => ({
    do: 'close',
    code: random.pick([1000, 1001, 1008, 1011, 1012, 1013, 4000]),
    after: after(random),
  })),
  blackhole: socket((random) => ({ do: 'blackhole', after: after(random) })),
  'messages lost, pings answered': socket((random) => ({ do: 'mute', after: after(random) })),
  'socket stalls': socket((random) => ({ do: 'stall', ms: random.between(10, 200), after: after(random) })),
  'idle line closed': socket((random) => ({ do: 'idle-close', ms: random.between(3, 40), how: how(random) })),
  'socket in single bytes': socket(() => ({ do: 'slice', sizes: [1], times: 'every' })),
  'socket with little bandwidth': socket((random) => ({
    do: 'drip',
    bytesPerSecond: random.between(2_000, 40_000),
  })),
  'socket with latency': socket((random) => ({ do: 'latency', ms: random.between(5, 120), times: 'every' })),
  'socket flooded': socket((random) => ({
    do: 'flood',
    jobs: random.between(1, 3),
    hz: 100,
    previewBytes: 20_000,
    after: after(random),
  })),
  'reserved bits': illegal('reserved bits'),
  'masked frame': illegal('masked'),
  'bad opcode': illegal('bad opcode'),
  'bad close code': illegal('bad close code'),
  'short close': illegal('short close'),
  'long ping': illegal('long ping'),
  'fragmented ping': illegal('fragmented ping'),
  'stray continuation': illegal('stray continuation'),
  'invalid UTF-8': illegal('invalid utf-8'),
  'any bytes': socket((random) => ({
    do: 'bytes',
    hex: Array.from({ length: random.between(1, 40) }, () =>
      random.below(256).toString(16).padStart(2, '0'),
    ).join(''),
    after: after(random),
  })),
  'tiny fragments': socket((random) => ({
    do: 'fragments',
    count: random.pick([50, 5_000, 20_000, 200_000]),
    after: after(random),
  })),
  'compression bomb': socket((random) => ({ do: 'bomb', bytes: 1_000_000, after: after(random) })),
  'message beyond the limit': socket((random) => ({
    do: 'oversize',
    bytes: random.chance(0.3) ? 17 * 1024 * 1024 : 100_000,
    after: after(random),
  })),
  'answer cut': http((random) => ({ do: 'cut', how: how(random), phase: phase(random) })),
  'answer never ends': http((random) => ({ do: 'stall', phase: phase(random) })),
  'answer in single bytes': http(() => ({ do: 'slice', sizes: [1], times: 'every' })),
  'answer with little bandwidth': http((random) => ({
    do: 'drip',
    bytesPerSecond: random.between(500, 20_000),
  })),
  'answer late': http((random) => ({ do: 'latency', ms: random.between(5, 120), times: 'every' })),
  'answer compressed': http(() => ({ do: 'gzip', bytes: 20 })),
  'socket refuses TLS': () => ({ faults: [], tls: 'socket' }),
  'service refuses TLS': () => ({ faults: [], tls: 'api' }),
} satisfies Record<string, Draw>;
