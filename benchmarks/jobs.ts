import type { Benchmark, Row } from './row.js';
import { askFreshProcess } from './tools/child.js';
import { countdown } from './tools/countdown.js';
import { inTurns } from './tools/in-turns.js';
import { connectedClient, watchJobs } from './tools/many-jobs.js';
import type { MemoryAnswer, MemoryQuestion } from './tools/memory.js';
import { type Sender, startSender } from './tools/sender.js';

/** What a frame costs with many jobs on one socket, and what an idle job holds. */
export const jobs: Benchmark = {
  name: 'jobs',
  title:
    'One `progress` event from a loopback socket, sent by another process, to the state of its job, with so many live jobs on the socket, each with a subscriber of its own. Baseline: one job.',
  plot: { title: 'One event to one of many jobs', x: 'live jobs on the socket', y: 'events/s' },
  run: async () => {
    const sender = await startSender();
    try {
      return [...(await costs(sender)), await memory()];
    } finally {
      await sender.end();
    }
  },
};

const events = 100_000;
const counts = { one: 1, hundred: 100, 'ten thousand': 10_000 } as const;
type Name = keyof typeof counts;
const names = Object.keys(counts) as Name[];

const costs = async (sender: Sender): Promise<readonly Row[]> => {
  const connected = [];
  for (const name of names) {
    const { tick, wait } = countdown();
    const path = name.replace(' ', '-');
    const client = await connectedClient(sender.baseUrl(path));
    const { close } = await watchJobs(client, counts[name], tick);
    const turn = async (): Promise<number> => {
      const send = await sender.prepare(path, { kind: 'progress', count: events, jobs: counts[name] });
      const read = wait(events);
      const started = performance.now();
      send();
      await read;
      return (performance.now() - started) / 1000;
    };
    connected.push({ name, turn, close });
  }
  const turns = await inTurns<Name>(
    Object.fromEntries(connected.map(({ name, turn }) => [name, turn])) as never,
    { rounds: 9 },
  );
  for (const { close } of connected) await close();
  return names.map((name) => ({
    what: name === 'one' ? '1 live job' : `${counts[name].toLocaleString('en-US')} live jobs`,
    unit: 'µs/event',
    ours: (turns.seconds(name) / events) * 1e6,
    ...(name !== 'one' && {
      baseline: (turns.seconds('one') / events) * 1e6,
      ratio: turns.ratio(name, 'one'),
      against: '1 live job',
      target: { atMost: 2.5 },
    }),
    points: [{ series: 'promptwire', x: counts[name], y: events / turns.seconds(name) }],
  }));
};

const memory = async (): Promise<Row> => {
  const { bytes } = await askFreshProcess<MemoryAnswer>('memory', {
    of: 'idle jobs',
    count: 10_000,
  } satisfies MemoryQuestion);
  return {
    what: 'an idle job with its subscriber (heap, of 10,000)',
    unit: 'KiB',
    ours: bytes / 10_000 / 1024,
    target: { atMost: 6 },
  };
};
