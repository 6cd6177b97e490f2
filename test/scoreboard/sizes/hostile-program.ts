import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import * as E from 'fp-ts/lib/Either.js';
import { lastValueFrom } from 'rxjs';
import { textToImageWorkflow } from '../../../src/emulator.js';
import { type Client, createClient, isServiceError, type JobState, outputFiles } from '../../../src/node.js';
import { type HostilePlant, hostilePlants } from './hostile-plants.js';
import { startServer } from './processes.js';
import { watchResources } from './resources.js';
import type { SizeAnswer, SizeCase } from './size-cases.js';

/** A fresh process that meets one hostile size, and writes what it took as JSON. */
const [name, plant] = process.argv.slice(2) as [SizeCase, HostilePlant | ''];
const makeClient = plant === '' ? createClient : hostilePlants[plant];

await using server = await startServer(new URL('hostile-server.ts', import.meta.url));
const { baseUrl, apiKey } = JSON.parse(server.address) as {
  readonly baseUrl: string;
  readonly apiKey: string;
};
// Without a linger each job has a socket of its own, and so a handshake that can be struck.
await using client = makeClient({ baseUrl, apiKey, lingerMs: 0 });
const dir = await mkdtemp(join(tmpdir(), 'promptwire-s14-'));
const problems: string[] = [];

const runJob = (seed: number): Promise<JobState> =>
  lastValueFrom(client.run(textToImageWorkflow({ width: 64, height: 64, steps: 10, seed })));

/** What has to be refused, and by which error. */
const refusals = (tag: string, from: Pick<Client['rest'], 'queue' | 'objectInfo'>): Promise<unknown> =>
  Promise.all(
    [from.queue(), from.objectInfo()].map(async (task) => {
      const answer = await task();
      if (E.isLeft(answer) && answer.left._tag === tag) return;
      problems.push(`not refused as ${tag}: ${E.isLeft(answer) ? String(answer.left) : 'an answer'}`);
    }),
  );

const fetchEndless = async ({ outputs }: JobState): Promise<void> => {
  const [file] = outputFiles(outputs);
  const tag = await lastValueFrom(client.download([file!], dir, { maxBytes: 256 * 1024 * 1024 })).then(
    () => 'a file',
    (error: unknown) =>
      isServiceError(error) ? `${error._tag} ${error.retry}: ${error.message}` : String(error),
  );
  if (!tag.startsWith('DownloadFailed never')) problems.push(`the endless file ended as ${tag}`);
  const left = await readdir(dir);
  if (left.length > 0) problems.push(`left behind ${left.join()}`);
};

// The first job, download and answers bring code and connections.
await lastValueFrom(client.download((await runJob(1)).outputs, dir));
await Promise.all([client.rest.queue()(), client.rest.objectInfo()()]);
await Promise.all((await readdir(dir)).map((file) => rm(join(dir, file))));
await server.ask({ strike: name });

const { peakMiB, pauseMs } = watchResources();
const state = await runJob(2);
if (name === 'JSON of 64 MiB') await refusals('Decode', client.rest);
if (name === 'an error of 10 MB') await refusals('ServerError', client.rest);
if (name === 'a file without end') await fetchEndless(state);
// A pause is only known once the loop has turned again.
await delay(20);
const taken = { peakMiB: peakMiB(), pauseMs: pauseMs() };

const truth = await server.ask<{
  readonly state: string;
  readonly outputs: unknown;
  readonly strikes: number;
}>('truth');
if (state.phase !== truth.state) problems.push(`the job ended as ${state.phase}, in truth ${truth.state}`);
if (!isDeepStrictEqual({ ...state.outputs }, truth.outputs))
  problems.push('the outputs are others than in truth');
if (truth.strikes === 0) problems.push('nothing was struck');
await rm(dir, { recursive: true });
const answer: SizeAnswer = { ...taken, strikes: truth.strikes, problems };
process.stdout.write(JSON.stringify(answer));
