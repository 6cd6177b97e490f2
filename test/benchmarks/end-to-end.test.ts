import { lastValueFrom } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { floorRunner } from '../../benchmarks/baseline/end-to-end.js';
import { instantWorkflow } from '../../benchmarks/tools/emulator.js';
import { type Emulator, startEmulator } from '../../src/emulator.js';
import { createClient } from '../../src/node.js';

const jobs = 3;

describe('the floor of the end-to-end benchmark', () => {
  it('has the same outputs by the same number of calls, but for one more of the first job, by which the client knows the server', async () => {
    await using emulator = await startEmulator({ speed: Infinity, concurrency: 'unlimited' });
    const { baseUrl, wsUrl, apiKey } = emulator;

    const client = createClient({
      baseUrl,
      apiKey,
      tier: 'unlimited',
      requestBudget: { perSecond: 100_000, burst: 100_000 },
    });
    const ours: unknown[] = [];
    for (let job = 0; job < jobs; job += 1) {
      ours.push((await lastValueFrom(client.run(instantWorkflow))).outputs);
    }
    await client.close();
    const callsOfOurs = callsOf(emulator, 0);

    const floor = await floorRunner(baseUrl, wsUrl, apiKey);
    const theirs: unknown[] = [];
    for (let job = 0; job < jobs; job += 1) theirs.push(await floor.run(instantWorkflow));
    await floor.close();

    expect(theirs).toEqual(ours);
    expect(Object.keys(theirs[0] as object)).not.toHaveLength(0);
    const [socket = '', post = '', record = ''] = callsOf(emulator, callsOfOurs.length);
    expect(callsOf(emulator, callsOfOurs.length)).toEqual([socket, ...repeated([post, record])]);
    const detail = 'GET /api/jobs/ID';
    expect(callsOfOurs).toEqual([socket, post, record, detail, ...repeated([post, detail]).slice(2)]);
  });
});

/** What each job calls, for all jobs. */
const repeated = (calls: readonly string[]): readonly string[] =>
  Array.from({ length: jobs }, () => calls).flat();

const callsOf = ({ requests }: Emulator, from: number): readonly string[] =>
  requests
    .slice(from)
    .map(({ method, url }) => `${method} ${url.replace(/\?.*/u, '').replace(/[0-9a-f-]{36}$/u, 'ID')}`);
