import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/node.js';
import { type Emulator, startEmulator } from '../../src/emulator.js';
import { localFloorRunner } from '../../benchmarks/baseline/local-job.js';
import { nextWorkflow, oneJob } from '../../benchmarks/local-jobs.js';

const jobs = 3;

describe('the floor of the benchmark of local jobs', () => {
  it('has the same bytes by the same calls, each of them once a job', async () => {
    await using emulator = await startEmulator({
      ...{ dialect: 'local', speed: Infinity, switches: { recordDelayMs: 10 } },
    });
    const { baseUrl, wsUrl } = emulator;
    const client = createClient({ baseUrl, dialect: 'local' });
    const ours: number[] = [];
    for (let job = 0; job < jobs; job += 1) ours.push(await oneJob(client));
    await client.close();
    const callsOfOurs = callsOf(emulator, 0);

    const floor = await localFloorRunner(baseUrl, wsUrl);
    const theirs: unknown[] = [];
    for (let job = 0; job < jobs; job += 1) theirs.push(await floor.run(nextWorkflow()));
    await floor.close();

    expect(theirs).toEqual(ours);
    expect(ours[0]).toBeGreaterThan(0);
    const ofJob = ['POST /api/prompt', 'GET /api/history/ID', 'GET /api/view'];
    expect(callsOfOurs.filter((call) => !call.startsWith('GET /ws'))).toEqual(
      Array.from({ length: jobs }, () => ofJob).flat(),
    );
    expect(callsOf(emulator, callsOfOurs.length)).toEqual(
      callsOfOurs.map((call) => call.replace('/api/ws', '/ws')),
    );
  });
});

const callsOf = ({ requests }: Emulator, from: number): readonly string[] =>
  requests
    .slice(from)
    .map(({ method, url }) => `${method} ${url.replace(/\?.*/u, '').replace(/[0-9a-f-]{36}$/u, 'ID')}`);
