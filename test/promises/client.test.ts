import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstValueFrom, toArray } from 'rxjs';
import { expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../src/promises.js';
import type { Client } from '../../src/promises.js';
import { promisedClient } from '../../src/client/promises/promised-client.js';
import { emulated, failing, picture, slow } from '../helpers/emulated.js';
import type { Emulator } from '../../src/emulator.js';

interface Promising {
  readonly client: Client;
  readonly emulator: Emulator;
}

const promising = async (): Promise<Promising> => {
  const { client, emulator } = await emulated();
  return { client: promisedClient(client), emulator };
};

const folder = async (): Promise<string> => {
  const path = await mkdtemp(join(tmpdir(), 'promises-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
};

it('a job is submitted, iterated over and downloaded by promises', async () => {
  const { emulator } = await emulated();
  await using client = createClient(emulator);
  const job = await client.submit(picture());
  const phases: string[] = [];
  for await (const { phase } of job) phases.push(phase);
  const { files, done } = await job.download(await folder());

  expect(phases.at(-1)).toBe('completed');
  expect(Object.keys(await job.outputs())).toEqual(['9', '10']);
  expect(done).toBe(true);
  expect(files.map(({ nodeId }) => nodeId)).toEqual(['9']);
  expect((await readFile(files[0]!.path)).subarray(1, 4).toString()).toBe('PNG');
});

it('a call begins when it is called, and once', async () => {
  const { client, emulator } = await promising();
  void client.rest.user();
  await client.rest.user();
  expect(emulator.requests.filter(({ url }) => url === '/api/user')).toHaveLength(2);
});

it('a call rejects with the ServiceError that the main entry gives as Left', async () => {
  const { client } = await promising();
  await expect(client.rest.jobStatus('no-such-job')).rejects.toMatchObject({ _tag: 'NotFound' });
  await expect(client.submit({})).rejects.toMatchObject({ _tag: 'InvalidWorkflow' });
  const job = await client.submit(failing('RuntimeError'));
  await expect(job.outputs()).rejects.toMatchObject({ _tag: 'JobFailed' });
  await expect(job.download(await folder())).rejects.toMatchObject({ _tag: 'JobFailed' });
});

it('a job is cancelled by its handle and by its id', async () => {
  const { client } = await promising();
  const first = await client.submit(slow());
  await first.cancel();
  const second = client.job((await client.submit(slow(90_000))).promptId);
  await client.cancel(second.promptId);
  for (const job of [first, second])
    await expect(job.outputs()).rejects.toMatchObject({ _tag: 'JobCancelled' });
});

it('a signal ends the wait of a download, and leaves the job alone', async () => {
  const { client } = await promising();
  const job = await client.submit(slow());
  const waiting = job.download(await folder(), { signal: AbortSignal.abort() });
  await expect(waiting).rejects.toMatchObject({ _tag: 'Aborted' });
  expect(await client.rest.jobStatus(job.promptId)).toMatchObject({ phase: expect.any(String) as string });
  await job.cancel();
});

it('streams and values are those of the client itself', async () => {
  const { client: main } = await emulated();
  const client = promisedClient(main);
  expect(client.frames).toBe(main.frames);
  const states = await firstValueFrom(client.run(picture()).pipe(toArray()));
  expect(states.at(-1)?.phase).toBe('completed');
  expect(client.submissionIds).toBe(main.submissionIds);
  expect(client.recent).toEqual(main.recent);
  expect(() => client.setKey('a\nb')).toThrow(expect.objectContaining({ _tag: 'InvalidConfig' }) as Error);
});

it('recent submissions are read as they are at that moment', async () => {
  const { client: main } = await emulated();
  let recent: Client['recent'] = [];
  const client = promisedClient({
    ...main,
    get recent() {
      return recent;
    },
  });
  expect(client.recent).toEqual([]);
  recent = [{ promptId: 'a', submittedAt: 0 }];
  expect(client.recent).toBe(recent);
});
