import { filter, firstValueFrom } from 'rxjs';
import type { Benchmark, Row } from './row.js';
import { countdown } from './tools/countdown.js';
import { inTurns } from './tools/in-turns.js';
import { connectedClient } from './tools/many-jobs.js';
import { type Load, type Sender, startSender } from './tools/sender.js';
import { kibibyte } from './tools/sizes.js';
import { promptIdOf } from './tools/wire.js';

/** What the frames of jobs cost that nobody here follows. */
export const foreign: Benchmark = {
  name: 'foreign',
  title:
    'Frames from a loopback socket, sent by another process, of 20 jobs in turn, one of which is followed: 95 % of the frames are of others. Baseline: the same frames with all 20 jobs followed.',
  run: async () => {
    const sender = await startSender();
    try {
      const rows: Row[] = [];
      for (const load of loads) rows.push(await measure(sender, load));
      return rows;
    } finally {
      await sender.end();
    }
  },
};

const jobs = 20;

interface ForeignLoad {
  readonly what: string;
  readonly load: Load;
  /** How many of the frames of one job change its state. */
  readonly news: number;
}

const loads: readonly ForeignLoad[] = [
  {
    what: 'a preview of 32 KiB, progress_state of 20 nodes, progress',
    load: { kind: 'mixture', count: 60 * jobs, size: 32 * kibibyte, jobs },
    news: 40,
  },
  {
    what: 'progress_state of 20 nodes',
    load: { kind: 'progress_state', count: 200 * jobs, jobs, nodes: 20 },
    news: 200,
  },
  { what: 'progress', load: { kind: 'progress', count: 1000 * jobs, jobs }, news: 1000 },
];

type Name = 'one' | 'all';

const measure = async (sender: Sender, { what, load, news }: ForeignLoad): Promise<Row> => {
  const one = await following(sender, 'one', jobs - 1);
  const all = await following(sender, 'all', 0);
  const turn =
    ({ name, wait }: Following, states: number) =>
    async (): Promise<number> => {
      const send = await sender.prepare(name, load);
      const read = wait(states);
      const started = performance.now();
      send();
      await read;
      return (performance.now() - started) / 1000;
    };
  const turns = await inTurns<Name>({ one: turn(one, news), all: turn(all, news * jobs) }, { rounds: 15 });
  await one.close();
  await all.close();
  return {
    what,
    unit: 'µs/frame',
    ours: (turns.seconds('one') / load.count) * 1e6,
    baseline: (turns.seconds('all') / load.count) * 1e6,
    ratio: turns.ratio('one', 'all'),
    target: { atMost: 0.6 },
  };
};

interface Following {
  readonly name: Name;
  readonly wait: (states: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Follows the jobs from `first` on; the last one is always among them, so that its last frame ends the turn. */
const following = async (sender: Sender, name: Name, first: number): Promise<Following> => {
  const { tick, wait } = countdown();
  const client = await connectedClient(sender.baseUrl(name));
  for (let index = first; index < jobs; index += 1) {
    const states = client.follow(promptIdOf(index));
    await firstValueFrom(states.pipe(filter(({ phase }) => phase === 'in_progress')));
    states.pipe(filter(({ exactNodes, progress }) => exactNodes === true || progress > 0)).subscribe({
      next: tick,
      error: () => undefined,
    });
  }
  return { name, wait, close: () => client.close() };
};
