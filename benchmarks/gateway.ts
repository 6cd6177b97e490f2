import { connect, type Socket } from 'node:net';
import type { Benchmark, Row } from './row.js';
import { median } from './tools/median.js';
import { monotonicMs, type Relay, type RelayWay, relayWays, startRelay } from './tools/relay.js';
import { turnOrder } from './tools/turn-order.js';

/** What it costs to relay a job to the readers of a gateway. */
export const gateway: Benchmark = {
  name: 'gateway',
  title:
    'The progress of one job, 25 times a second, to 200 readers over HTTP in another process, from the state to the socket of each reader; and previews. Baseline: a handler that writes each event once as text and to all responses, without ids, bounds or resumption.',
  run: async () => {
    const relay = await startRelay();
    try {
      return [...(await relayed(relay)), ...(await previews(relay))];
    } finally {
      await relay.end();
    }
  },
};

const readerCount = 200;
const eventCount = 50;
const everyMs = 40;
const rounds = 5;

interface Turn {
  readonly median: number;
  readonly p90: number;
  readonly cpuMs: number;
}

const relayed = async (relay: Relay): Promise<readonly Row[]> => {
  const turns = new Map(relayWays.map((way): [RelayWay, Turn[]] => [way, []]));
  for (let round = -1; round < rounds; round += 1) {
    for (const way of turnOrder(relayWays, round + 1)) {
      const turn = await turnOf(relay, way);
      if (round >= 0) turns.get(way)?.push(turn);
    }
  }
  const row = (what: string, unit: string, against: RelayWay, of: (turn: Turn) => number): Row => {
    const values = (way: RelayWay): readonly number[] => (turns.get(way) ?? []).map(of);
    const others = values(against);
    return {
      ...{ what, unit, against },
      ours: median(values('promptwire')),
      baseline: median(others),
      ratio: median(values('promptwire').map((value, round) => value / (others[round] ?? NaN))),
    };
  };
  const perReader = ({ cpuMs }: Turn): number => (cpuMs * 1000) / eventCount / readerCount;
  return [
    { ...row('latency, median', 'ms', 'by hand', (turn) => turn.median), target: { atMost: 1.5 } },
    { ...row('latency, p90', 'ms', 'by hand', ({ p90 }) => p90), target: { atMost: 1.5 } },
    row('latency, median', 'ms', 'better-sse', (turn) => turn.median),
    row('latency, p90', 'ms', 'better-sse', ({ p90 }) => p90),
    row('processor time for one event of one reader', 'µs', 'by hand', perReader),
    row('processor time for one event of one reader', 'µs', 'better-sse', perReader),
  ];
};

/** Opens the readers, lets the events come, and compares when each was published with when each reader had it. */
const turnOf = async (relay: Relay, way: RelayWay): Promise<Turn> => {
  const arrivals: { readonly value: number; readonly at: number }[] = [];
  const readers = await Promise.all(
    Array.from({ length: readerCount }, () =>
      openReader(relay.addresses[way], (value) => arrivals.push({ value, at: monotonicMs() })),
    ),
  );
  globalThis.gc?.();
  arrivals.length = 0;
  const { at, cpuMs } = await relay.publish(way, eventCount, everyMs);
  await settled(
    `the events by ${way}`,
    () => arrivals.filter(({ value }) => value === eventCount).length >= readerCount,
  );
  for (const reader of readers) reader.destroy();
  const latencies = arrivals
    .map(({ value, at: arrived }) => arrived - (at[value - 1] ?? NaN))
    .toSorted((a, b) => a - b);
  return { median: median(latencies), p90: latencies[Math.floor(latencies.length * 0.9)] ?? NaN, cpuMs };
};

/** Reads a stream from the bare socket, so that the reader is never what is waited for. */
const openReader = (address: string, onValue: (value: number) => void): Promise<Socket> => {
  const { hostname, port, pathname, host } = new URL(address);
  const socket = connect(Number(port), hostname);
  let rest = '';
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => {
      resolve(socket);
      const events = (rest + text).split('\n\n');
      rest = events.pop() ?? '';
      for (const event of events) {
        const [, value] = /^event: ?progress[^]*"value":(\d+)/mu.exec(event) ?? [];
        if (value !== undefined) onValue(Number(value));
      }
    });
    socket.write(`GET ${pathname} HTTP/1.1\r\nhost: ${host}\r\naccept: text/event-stream\r\n\r\n`);
  });
};

const settled = async (what: string, isDone: () => boolean): Promise<void> => {
  const started = performance.now();
  while (!isDone()) {
    if (performance.now() - started > 30_000) throw new Error(`no end of ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};

/** The size of a preview of 512 pixels. */
const pictureBytes = 27_000;

/** What comes over the wire for one preview: its event, and its bytes by the address in it, on a connection that stays. */
const previews = async (relay: Relay): Promise<readonly Row[]> => {
  const { promptwire } = relay.addresses;
  const sse = await wireOf(promptwire);
  const { hostname, port, host } = new URL(promptwire);
  const http = connect(Number(port), hostname);
  let got = 0;
  http.on('data', (bytes: Buffer) => (got += bytes.length));
  const events: number[] = [];
  const responses: number[] = [];
  const times: number[] = [];
  for (let count = 0; count < 50; count += 1) {
    const before = sse.text.length;
    const started = monotonicMs();
    await relay.preview(pictureBytes);
    await settled(
      'the event of a preview',
      () => sse.text.slice(before).includes('event: preview') && sse.text.endsWith('\n\n\r\n'),
    );
    const event = sse.text.slice(before);
    const [, url = ''] = /"url":"([^"]+)"/u.exec(event) ?? [];
    const { pathname, search } = new URL(url);
    got = 0;
    http.write(`GET ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
    await settled('a preview', () => got > pictureBytes);
    await new Promise((resolve) => setTimeout(resolve, 5));
    times.push(monotonicMs() - started);
    events.push(event.length);
    responses.push(got);
  }
  sse.close();
  http.destroy();
  const base64 = Math.ceil(pictureBytes / 3) * 4;
  const row = (what: string, ours: number, baseline = pictureBytes): Row => ({
    ...{ what, ours, baseline },
    unit: 'bytes',
    against: 'the picture',
    ratio: ours / baseline,
  });
  return [
    { ...row('a preview, its answer', median(responses)), target: { atMost: 1.02 } },
    row('a preview, its answer and its event', median(responses) + median(events)),
    row('the same as base64 in the event', base64 + median(events)),
  ];
};

const wireOf = async (address: string) => {
  const { hostname, port, pathname, host } = new URL(address);
  const socket = connect(Number(port), hostname);
  const wire = { text: '', close: () => socket.destroy() };
  socket.setEncoding('latin1');
  socket.on('data', (text: string) => (wire.text += text));
  socket.write(`GET ${pathname} HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
  await settled('the snapshot', () => wire.text.includes('\n\n'));
  return wire;
};
