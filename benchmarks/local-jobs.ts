import type { Benchmark, Row } from './row.js';
import { type Client, createClient, outputFiles } from '../src/node.js';
import { lastValueFrom } from 'rxjs';
import { localFloorRunner } from './baseline/local-job.js';
import { median } from './tools/median.js';
import { startEmulatorProcess } from './tools/emulator.js';
import { turnOrder } from './tools/turn-order.js';

/** How long a job of a local server takes from its submission to the bytes of its file, where the record trails the end. */
export const localJobs: Benchmark = {
  name: 'local-jobs',
  title:
    '200 jobs of two nodes, one after the other, against the local emulator in another process, which writes a record 10 ms after the end, as engines do: submission, socket, record, file. Baseline: a script over ws and undici with the same calls, which reads the record once no node runs.',
  run: async () => {
    const service = await startEmulatorProcess('local', { recordDelayMs: 10 });
    const client = createClient({ baseUrl: service.baseUrl, dialect: 'local' });
    const floor = await localFloorRunner(service.baseUrl, service.wsUrl);
    const ways = { promptwire: () => oneJob(client), floor: () => floor.run(nextWorkflow()) };
    const times = await inRounds(ways);
    await client.close();
    await floor.close();
    await service.end();
    return [row('median', times, (list) => median(list)), row('p95', times, p95)];
  },
};

const jobs = 200;
const rounds = 5;
const names = ['promptwire', 'floor'] as const;
type Name = (typeof names)[number];

let submitted = 0;
/** A sound that is cached, and a file of its own for each job. */
export const nextWorkflow = () => ({
  1: { class_type: 'EmptyAudio', inputs: { duration: 0.1, sample_rate: 8_000, channels: 1 } },
  2: {
    class_type: 'SaveAudio',
    inputs: { audio: ['1', 0], filename_prefix: `sound-${(submitted += 1)}` },
  },
});

/** Runs a job and reads its files; gives the number of their bytes. */
export const oneJob = async (client: Client): Promise<number> => {
  const { phase, outputs } = await lastValueFrom(client.run(nextWorkflow()));
  if (phase !== 'completed') throw new Error(`a job ended as ${phase}`);
  let bytes = 0;
  for (const file of outputFiles(outputs)) {
    const content = await client.rest.view(file)();
    if (content._tag === 'Left') throw content.left;
    for await (const chunk of content.right.body) bytes += chunk.byteLength;
  }
  return bytes;
};

/** Milliseconds of each job, by round. */
type Times = Readonly<Record<Name, readonly (readonly number[])[]>>;

const inRounds = async (ways: Readonly<Record<Name, () => Promise<unknown>>>): Promise<Times> => {
  const times: Record<Name, number[][]> = { promptwire: [], floor: [] };
  for (let round = -1; round < rounds; round += 1) {
    for (const name of turnOrder(names, round + 1)) {
      globalThis.gc?.();
      const list: number[] = [];
      for (let job = 0; job < jobs; job += 1) {
        const started = performance.now();
        await ways[name]();
        list.push(performance.now() - started);
      }
      if (round >= 0) times[name].push(list);
    }
  }
  return times;
};

const p95 = (list: readonly number[]): number =>
  list.toSorted((a, b) => a - b)[Math.ceil(list.length * 0.95) - 1] ?? NaN;

const row = (what: string, times: Times, of: (list: readonly number[]) => number): Row => ({
  what,
  unit: 'ms/job',
  ours: median(times.promptwire.map(of)),
  baseline: median(times.floor.map(of)),
  ratio: median(times.promptwire.map((list, round) => of(list) / of(times.floor[round] ?? []))),
  target: { atMost: 1.3 },
});
