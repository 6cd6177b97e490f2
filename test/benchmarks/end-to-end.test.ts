import { lastValueFrom } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { floorRunner, type FloorService } from '../../benchmarks/baseline/end-to-end.js';
import { instantWorkflow } from '../../benchmarks/tools/emulator.js';
import { type Emulator, startEmulator } from '../../src/emulator.js';
import { type ClientOptions, createClient } from '../../src/node.js';

const jobs = 3;

describe('the floor of the end-to-end benchmark', () => {
  it('has the same outputs by the same number of calls, but for one more of the first job, by which the client knows the server', async () => {
    await using emulator = await startEmulator({ speed: Infinity, concurrency: 'unlimited' });
    const { baseUrl, wsUrl, apiKey } = emulator;

    const ours = await runByClient({ baseUrl, apiKey, tier: 'unlimited' });
    const callsOfOurs = callsOf(emulator, 0);
    const theirs = await runByFloor({ baseUrl, wsUrl, apiKey });

    expect(theirs).toEqual(ours);
    expect(Object.keys(theirs[0] as object)).not.toHaveLength(0);
    const [socket = '', post = '', record = ''] = callsOf(emulator, callsOfOurs.length);
    expect(callsOf(emulator, callsOfOurs.length)).toEqual([socket, ...repeated([post, record])]);
    const detail = 'GET /api/jobs/ID';
    expect(callsOfOurs).toEqual([socket, post, record, detail, ...repeated([post, detail]).slice(2)]);
  });

  it('makes the very calls of the client at an engine of today', async () => {
    await using emulator = await startEmulator({ dialect: 'local', engine: 'latest', speed: Infinity });
    const { baseUrl, wsUrl } = emulator;

    const ours = await runByClient({ baseUrl, dialect: 'local' });
    const callsOfOurs = callsOf(emulator, 0);
    const theirs = await runByFloor({ baseUrl, wsUrl });

    expect(theirs).toEqual(ours);
    expect(Object.keys(theirs[0] as object)).not.toHaveLength(0);
    expect(callsOf(emulator, callsOfOurs.length)).toEqual(callsOfOurs);
    expect(callsOfOurs).toEqual(['GET /ws', ...repeated(['POST /api/prompt', 'GET /api/history/ID'])]);
  });
});

const runByClient = async (options: ClientOptions): Promise<readonly unknown[]> => {
  const client = createClient({ ...options, requestBudget: { perSecond: 100_000, burst: 100_000 } });
  const outputs: unknown[] = [];
  for (let job = 0; job < jobs; job += 1) {
    outputs.push((await lastValueFrom(client.run(instantWorkflow))).outputs);
  }
  await client.close();
  return outputs;
};

const runByFloor = async (service: FloorService): Promise<readonly unknown[]> => {
  const floor = await floorRunner(service);
  const outputs: unknown[] = [];
  for (let job = 0; job < jobs; job += 1) outputs.push(await floor.run(instantWorkflow));
  await floor.close();
  return outputs;
};

/** What each job calls, for all jobs. */
const repeated = (calls: readonly string[]): readonly string[] =>
  Array.from({ length: jobs }, () => calls).flat();

const callsOf = ({ requests }: Emulator, from: number): readonly string[] =>
  requests
    .slice(from)
    .map(({ method, url }) => `${method} ${url.replace(/\?.*/u, '').replace(/[0-9a-f-]{36}$/u, 'ID')}`);
