import { createConnection, type Socket } from 'node:net';
import { addTallies } from './add-tallies.js';
import { canaryKey } from '../helpers/canaries.js';
import type { Figure, Range, Tally } from './figure.js';
import type { GatewayLoad } from './gateway/serve-program.js';
import { readStream, type Seen } from './gateway/read-stream.js';
import { startServer } from './sizes/processes.js';

const pictureBytes = 27_000;
const mostMiB = 96;
const wholeCount = 5_000;
const promptReaders = 20;
/** Far more than anybody sees, and long enough to fill the buffers of the system for a reader of pictures. */
const perSecond = 400;

/** Readers that take nothing, while hundreds of pictures come each second. */
export const stalledReaders: Figure = {
  id: 'stalled-readers',
  what: `1,000 readers that read nothing, half of them in the words of API v2 with pictures, beside 20 that read; 5,000 previews of 27 kB, ${perSecond} a second of a gateway that has played such a job for those 20 alone before (gateway, service and readers in processes of their own)`,
  target: `RSS of the gateway ≤ +${mostMiB} MiB from before they came (median of three processes), the sockets of all readers of pictures full, 0 lifecycle events lost to the others`,
  count: wholeCount,
  splits: false,
  isAlone: true,
  run: (range) => stallThrice(range),
  shortfalls: ({ counts }, count) => [
    ...(counts['median MiB of RSS']! <= mostMiB
      ? []
      : [`RSS grew by ${counts['median MiB of RSS']!.toFixed(0)} MiB`]),
    ...(count < wholeCount || counts['readers with a full socket']! * 2 >= counts['stalled readers']!
      ? []
      : ['the buffers of the system took what readers of pictures should have stalled with']),
  ],
};

const stallThrice = async (range: Range): Promise<Tally> => {
  const tallies: Tally[] = [];
  // When V8 collects garbage is its own affair, and one process alone may be lucky or not.
  for (let nth = 0; nth < (range.count < wholeCount ? 1 : 3); nth += 1) tallies.push(await stall(range));
  const growths = tallies.map(({ counts }) => counts['most MiB of RSS']!).toSorted((a, b) => a - b);
  const { counts, problems } = addTallies(tallies);
  return { counts: { ...counts, 'median MiB of RSS': growths[growths.length >> 1]! }, problems };
};

/** Sends so many previews, with a fifth as many readers that stall. */
export const stall = async ({ count }: Range): Promise<Tally> => {
  const stalledCount = Math.ceil(count / 5);
  await using service = await startServer(new URL('sizes/preview-server.ts', import.meta.url), [
    ...[String(count), String(pictureBytes), String(perSecond)],
  ]);
  await using gateway = await startServer(new URL('gateway/serve-program.ts', import.meta.url), [
    ...[service.address, '', canaryKey('of-stalled-readers')],
  ]);
  const open = async (path: string): Promise<ReturnType<typeof readStream>> => {
    const response = await fetch(`${gateway.address}${path}`);
    return readStream(response.body!, 'sse', 100_000);
  };
  const submit = async (): Promise<string> => {
    const response = await fetch(`${gateway.address}/api/v2/jobs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ workflow: { 1: { class_type: 'X', inputs: {} } } }),
    });
    return String(((await response.json()) as { readonly id?: unknown }).id);
  };
  const readAll = async (reading: ReturnType<typeof readStream>, job: string): Promise<readonly Seen[]> => {
    const events: Seen[] = [];
    for (;;) {
      const event = await reading.next();
      if (typeof event === 'string') return events;
      if (event.data['job'] !== job && event.data['job'] !== undefined) continue;
      events.push(event);
      const { phase } = (event.data['status'] ?? {}) as { readonly phase?: string };
      if (event.event === 'status' && (phase === 'completed' || event.data['status'] === 'succeeded')) break;
    }
    await reading.cut();
    return events;
  };

  const readers = (): Promise<readonly ReturnType<typeof readStream>[]> =>
    Promise.all(Array.from({ length: promptReaders }, () => open('/events?from=latest')));

  // Jobs for readers that read, one of them with all pictures, bring the code, the connections and the heap of a gateway at work.
  for (let nth = 0; nth < 3; nth += 1) {
    const others = await readers();
    const job = await submit();
    await Promise.all(
      [...others, await open(`/api/v2/jobs/${job}/events`)].map((reading) => readAll(reading, job)),
    );
  }

  await gateway.ask('watch');
  const stalled = await Promise.all(
    Array.from({ length: Math.ceil(stalledCount / 2) }, () =>
      stalledReader(gateway.address, '/events?from=latest'),
    ),
  );
  const prompt = await readers();
  const job = await submit();
  const inPictures = await Promise.all(
    Array.from({ length: Math.floor(stalledCount / 2) }, () =>
      stalledReader(gateway.address, `/api/v2/jobs/${job}/events`),
    ),
  );
  const seen = await Promise.all(prompt.map((reading) => readAll(reading, job)));
  const { peakMiB, blocked } = await gateway.ask<GatewayLoad>('load');
  const whole = (await readAll(await open(`/jobs/${job}/events?from=start`), job)).map(({ id }) => id);
  const lost = seen.reduce(
    (sum, events) => sum + whole.filter((id) => !events.some((event) => event.id === id)).length,
    0,
  );
  const all = [...stalled, ...inPictures];
  const gone = all.filter((socket) => socket.destroyed).length;
  for (const socket of all) socket.destroy();
  return {
    counts: {
      'stalled readers': all.length,
      'previews sent': count,
      'previews seen': seen.reduce(
        (sum, events) => sum + events.filter(({ event }) => event === 'preview').length,
        0,
      ),
      'lifecycle events': whole.length * seen.length,
      lost,
      'readers with a full socket': blocked,
      'most MiB of RSS': peakMiB,
    },
    problems: [
      ...(lost === 0 ? [] : [`${lost} lifecycle events were lost`]),
      ...(whole.length > 3 ? [] : [`the job had ${whole.length} events only`]),
      ...(seen.every((events) => events.some(({ event }) => event === 'preview'))
        ? []
        : ['a reader saw no preview']),
      ...(gone === 0 ? [] : [`${gone} readers did not stall but were gone`]),
    ].map((problem) => `${problem}; npm run scoreboard -- stalled-readers`),
  };
};

/** Opens a stream and reads nothing of it, not even its head, beyond what the buffers of the socket take. */
const stalledReader = (address: string, path: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(address);
    const socket = createConnection({ host: hostname, port: Number(port) });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.pause();
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`, () => resolve(socket));
    });
  });
