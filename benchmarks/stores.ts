import { askFreshProcess } from './tools/child.js';
import type { Benchmark } from './row.js';
import { join } from 'node:path';
import { median } from './tools/median.js';
import { mebibyte } from './tools/sizes.js';
import { mkdtemp, rm } from 'node:fs/promises';
import type { StoreAnswer, StoreQuestion } from './tools/stores.js';
import { tmpdir } from 'node:os';

const many = 1_000_000;
const few = 10_000;
const rounds = 3;

/** What a gateway's folder costs at its start. */
export const stores: Benchmark = {
  name: 'stores',
  title:
    'A folder of a gateway with a million events of ten thousand jobs: until its ports are open, and by how much the process grows until it has read a page of each owner. Baseline: a folder with ten thousand events of a hundred jobs.',
  run: async () => {
    const root = await mkdtemp(join(tmpdir(), 'promptwire-stores-'));
    const ask = (of: StoreQuestion['of'], events: number): Promise<StoreAnswer> =>
      askFreshProcess('stores', { of, events, folder: join(root, String(events)) } satisfies StoreQuestion);
    try {
      await ask('fill', few);
      await ask('fill', many);
      const starts = { few: [] as StoreAnswer[], many: [] as StoreAnswer[] };
      for (let round = 0; round < rounds; round += 1) {
        starts.few.push(await ask('start', few));
        starts.many.push(await ask('start', many));
      }
      const ofBoth = (value: (answer: StoreAnswer) => number) => {
        const [ours, baseline] = [median(starts.many.map(value)), median(starts.few.map(value))];
        return { ours, baseline };
      };
      return [
        { what: 'the start', unit: 'ms', ...ofBoth(({ ms }) => ms), target: { atMost: 2_000 } },
        { what: 'processor time of the start', unit: 'ms', ...ofBoth(({ cpuMs }) => cpuMs) },
        {
          ...{ what: 'resident memory', unit: 'MiB', target: { atMost: 100 } },
          ...ofBoth(({ residentBytes }) => residentBytes / mebibyte),
        },
        {
          ...{ what: 'heap that a collection leaves', unit: 'MiB', target: { atMost: 5 } },
          ...ofBoth(({ heapBytes }) => heapBytes / mebibyte),
        },
      ];
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  },
};
