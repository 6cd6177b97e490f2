import { lastValueFrom } from 'rxjs';
import { createClient } from '../src/node.js';
import { floorRunner } from './baseline/end-to-end.js';
import { comfyUiClient } from './peers/comfy-ui-client.js';
import { peersMissing } from './peers/install-peers.js';
import { loadSaintno, saintnoApi } from './peers/saintno.js';
import { stableCanvasClient } from './peers/stable-canvas.js';
import type { Benchmark, Row } from './row.js';
import { instantWorkflow, startEmulatorProcess } from './tools/emulator.js';
import { inTurns } from './tools/in-turns.js';

/** What a whole job costs. */
export const endToEnd: Benchmark = {
  name: 'end-to-end',
  title:
    'Jobs without delay against the emulator in another process: submission, socket, history. Baseline: a script over ws and undici with the same calls. Peers run against the local dialect, which they are made for, one job after the other.',
  run: async () => [...(await besideFloor()), ...(await besidePeers())],
};

const jobs = 1000;
/** A turn of a part of the jobs: what else the machine does falls on few turns then. */
const jobsPerTurn = 250;

type RunOne = () => Promise<unknown>;

const besideFloor = async (): Promise<readonly Row[]> => {
  const { baseUrl, wsUrl, apiKey, end } = await startEmulatorProcess('cloud');
  const client = createClient({ baseUrl, apiKey, tier: 'unlimited' });
  const floor = await floorRunner(baseUrl, wsUrl, apiKey);
  const ours: RunOne = () => lastValueFrom(client.run(instantWorkflow));
  const theirs: RunOne = () => floor.run(instantWorkflow);

  const inSequence = await inTurns(
    { promptwire: sequence(ours, jobsPerTurn), floor: sequence(theirs, jobsPerTurn) },
    { rounds: 9 },
  );
  const atOnce = await inTurns(
    { promptwire: together(ours, jobs), floor: together(theirs, jobs) },
    { rounds: 7 },
  );
  await client.close();
  await floor.close();
  await end();
  const row = (what: string, turns: typeof inSequence, count: number): Row => ({
    what,
    unit: 'ms/job',
    ours: (turns.seconds('promptwire') / count) * 1000,
    baseline: (turns.seconds('floor') / count) * 1000,
    ratio: turns.ratio('promptwire', 'floor'),
    target: { atMost: 1.2 },
  });
  return [row('in sequence', inSequence, jobsPerTurn), row('1,000 at once', atOnce, jobs)];
};

const sequence = (run: RunOne, count: number) => async (): Promise<number> => {
  const started = performance.now();
  for (let job = 0; job < count; job += 1) await run();
  return (performance.now() - started) / 1000;
};

const together = (run: RunOne, count: number) => async (): Promise<number> => {
  const started = performance.now();
  await Promise.all(Array.from({ length: count }, run));
  return (performance.now() - started) / 1000;
};

type PeerName = 'promptwire' | 'stable-canvas' | 'saintno' | 'comfy-ui-client';

const besidePeers = async (): Promise<readonly Row[]> => {
  const missing = await peersMissing();
  if (missing !== undefined) {
    return Object.values(packages).map((against) => ({
      what: 'in sequence, local dialect',
      unit: 'ms/job',
      against,
      note: missing,
    }));
  }
  const { baseUrl, end } = await startEmulatorProcess('local');
  const host = new URL(baseUrl).host;
  const client = createClient({ baseUrl, dialect: 'local' });
  const stable = await stableCanvasClient(host, 'stable-canvas');
  const api = await saintnoApi(baseUrl, 'saintno');
  const { CallWrapper, PromptBuilder } = await loadSaintno();
  const other = await comfyUiClient(host, 'comfy-ui-client');
  const count = 50;
  const ways: Readonly<Record<PeerName, RunOne>> = {
    promptwire: () => lastValueFrom(client.run(instantWorkflow)),
    'stable-canvas': () => stable.enqueue(instantWorkflow),
    saintno: () =>
      new Promise((resolve, reject) => {
        const wrapper = new CallWrapper(
          api,
          new PromptBuilder(instantWorkflow, [], ['texts']).setOutputNode('texts', '1'),
        );
        wrapper.onFinished(resolve);
        wrapper.onFailed(reject);
        void wrapper.run();
      }),
    'comfy-ui-client': () => other.getImages(instantWorkflow),
  };
  const names = Object.keys(ways) as PeerName[];
  const turns = await inTurns<PeerName>(
    Object.fromEntries(names.map((name) => [name, sequence(ways[name], count)])) as never,
    { rounds: 5, warmUps: 1 },
  );
  await client.close();
  stable.close();
  api.destroy();
  await other.disconnect();
  await end();
  return names
    .filter((name) => name !== 'promptwire')
    .map((name) => ({
      what: 'in sequence, local dialect',
      unit: 'ms/job',
      ours: (turns.seconds('promptwire') / count) * 1000,
      baseline: (turns.seconds(name) / count) * 1000,
      ratio: turns.ratio('promptwire', name),
      against: packages[name],
    }));
};

const packages = {
  'stable-canvas': '@stable-canvas/comfyui-client',
  saintno: '@saintno/comfyui-sdk',
  'comfy-ui-client': 'comfy-ui-client',
} satisfies Record<Exclude<PeerName, 'promptwire'>, string>;
