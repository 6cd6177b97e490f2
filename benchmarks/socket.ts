import { bareSocket } from './baseline/bare-socket.js';
import { rxjsWebSocket } from './baseline/rxjs-web-socket.js';
import { comfyorg } from './peers/comfyorg.js';
import { peersMissing } from './peers/install-peers.js';
import { saintno } from './peers/saintno.js';
import { stableCanvas } from './peers/stable-canvas.js';
import type { Benchmark, Row } from './row.js';
import { askAllocation } from './tools/allocation.js';
import { countdown } from './tools/countdown.js';
import { inTurns, type Turns } from './tools/in-turns.js';
import { promptwireSocket } from './tools/promptwire-socket.js';
import { type Load, type Sender, startSender } from './tools/sender.js';
import { kibibyte } from './tools/sizes.js';
import type { ListeningWay } from './tools/way.js';

/** What a message costs from the socket to the subscriber. */
export const socket: Benchmark = {
  name: 'socket',
  title:
    'Messages from a loopback socket to one subscriber, sent by another process. Baseline: a bare `ws` listener that does `JSON.parse` or makes a view. Peers are as they come; `@comfyorg/sdk` gets its previews as server-sent events.',
  run: async () => {
    const sender = await startSender();
    try {
      const rows: Row[] = [];
      for (const load of loads) rows.push(...(await measure(sender, load)));
      const allocated = await askAllocation(
        new Map(
          loads.map(({ what, load, counted }) => [
            what,
            (who) => ({ of: 'listening', who, load: { ...load, count: counted } }),
          ]),
        ),
      );
      return rows.map((row) =>
        row.against === bare ? { ...row, allocated: allocated.get(row.what)! } : row,
      );
    } finally {
      await sender.end();
    }
  },
};

const bare = 'bare `ws`';

interface SocketLoad {
  readonly what: string;
  /** How many messages are sent at once where their allocation is counted. */
  readonly counted: number;
  readonly load: Extract<Load, { kind: 'progress' | 'preview' }>;
}

const loads: readonly SocketLoad[] = [
  { what: 'text (`progress`)', counted: 2_000, load: { kind: 'progress', count: 200_000, jobs: 1 } },
  { what: '32 KiB previews', counted: 100, load: { kind: 'preview', count: 3_000, size: 32 * kibibyte } },
  { what: '512 KiB previews', counted: 10, load: { kind: 'preview', count: 200, size: 512 * kibibyte } },
];

type Peer = 'stable-canvas' | 'saintno' | 'comfyorg';
type Name = 'promptwire' | 'bare' | 'rxjs' | Peer;

/**
 * The baselines are so near that it takes many rounds and messages to tell them apart, which peers, several times as slow, would
 * make last for minutes. So ours takes its turns beside the baselines, then beside the peers, and each ratio is of such rounds.
 */
const measure = async (sender: Sender, { what, load }: SocketLoad): Promise<readonly Row[]> => {
  const isText = load.kind === 'progress';
  const missing = await peersMissing();
  const near = await inTurnsOf(
    sender,
    { promptwire: promptwireSocket, bare: bareSocket, rxjs: rxjsWebSocket },
    load.kind === 'preview' && load.size > 100 * kibibyte ? { ...load, count: 3 * load.count } : load,
    25,
  );
  const far =
    missing === undefined
      ? await inTurnsOf(
          sender,
          {
            promptwire: promptwireSocket,
            'stable-canvas': stableCanvas,
            saintno,
            ...(!isText && { comfyorg }),
          },
          load,
          9,
        )
      : undefined;
  const row = (other: Name, against: string, atLeast: number, measured: Measured | undefined): Row => ({
    what,
    unit: 'messages/s',
    ours: (measured ?? near).rate('promptwire'),
    against,
    target: { atLeast },
    ...(measured === undefined
      ? { note: missing ?? 'not measured' }
      : { baseline: measured.rate(other), ratio: measured.turns.ratio(other, 'promptwire') }),
    ...(load.kind === 'preview' && {
      megabytesPerSecond: ((measured ?? near).rate('promptwire') * load.size) / 1e6,
    }),
  });
  const ofBare = isText ? 0.8 : 0.85;
  const ofPeers = isText ? 1 : 2;
  return [
    row('bare', bare, ofBare, near),
    row('rxjs', 'rxjs/webSocket', ofBare, near),
    row('stable-canvas', '@stable-canvas/comfyui-client', ofPeers, far),
    row('saintno', '@saintno/comfyui-sdk', ofPeers, far),
    ...(isText ? [] : [row('comfyorg', '@comfyorg/sdk', ofPeers, far)]),
  ];
};

interface Measured {
  readonly turns: Turns<Name>;
  /** Messages a second of one way. */
  readonly rate: (name: Name) => number;
}

const inTurnsOf = async (
  sender: Sender,
  ways: Partial<Record<Name, ListeningWay>>,
  load: SocketLoad['load'],
  rounds: number,
): Promise<Measured> => {
  const connected = await Promise.all(
    (Object.entries(ways) as [Name, ListeningWay][]).map(([name, way]) => turnOf(sender, name, way, load)),
  );
  const turns = await inTurns<Name>(
    Object.fromEntries(connected.map(({ name, turn }) => [name, turn])) as never,
    { rounds },
  );
  for (const { close } of connected) await close();
  return { turns, rate: (name) => load.count / turns.seconds(name) };
};

/** Connects a way; its turn lasts from the word to send to the last message. */
const turnOf = async (sender: Sender, name: Name, way: ListeningWay, load: SocketLoad['load']) => {
  const { tick, wait } = countdown();
  const address = { name, port: sender.port, baseUrl: sender.baseUrl(name), wsUrl: sender.wsUrl(name) };
  const { close } = await way(address, tick);
  return {
    name,
    close,
    turn: async (): Promise<number> => {
      const send = await sender.prepare(
        name,
        name === 'comfyorg' ? ({ ...load, kind: 'events' } as Load) : load,
      );
      const read = wait(load.count);
      const started = performance.now();
      send();
      await read;
      return (performance.now() - started) / 1000;
    },
  };
};
