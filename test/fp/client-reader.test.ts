import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as RTE from 'fp-ts/lib/ReaderTaskEither.js';
import { describe, expect, expectTypeOf, it, onTestFinished } from 'vitest';
import { textToImageWorkflow } from '../../src/emulator.js';
import type { ServiceError } from '../../src/core/errors/errors.js';
import type { DownloadState } from '../../src/core/files/download-state.js';
import {
  cancel,
  type ClientReader,
  download,
  job,
  outputs,
  rest,
  run,
  setInput,
  submit,
  upload,
} from '../../src/fp.js';
import type { JobState } from '../../src/core/state/job-state.js';
import { emulated } from '../helpers/emulated.js';

const workflow = textToImageWorkflow({ width: 64, height: 64, steps: 2 });

const right = async <A>(running: Promise<E.Either<ServiceError, A>>): Promise<A> => {
  const result = await running;
  if (E.isLeft(result)) throw result.left;
  return result.right;
};

const temporaryFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'fp-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
};

describe('the client as ReaderTaskEither', () => {
  it('uploads, sets inputs, submits, waits and downloads in one pipe', async () => {
    const { client, submissions } = await emulated();
    const folder = await temporaryFolder();
    const picture = join(folder, 'picture.json');
    await writeFile(picture, '{}');
    const program = pipe(
      picture,
      upload(),
      RTE.flatMapEither(({ name }) =>
        pipe(workflow, setInput('6', 'text', `after ${name}`), E.flatMap(setInput('3', 'seed', 7))),
      ),
      RTE.flatMap(submit({ label: 'one' })),
      RTE.flatMapTaskEither(outputs),
      RTE.flatMap(download(folder, { filter: ({ type }) => type === 'output' })),
    );
    expectTypeOf(program).toEqualTypeOf<ClientReader<DownloadState>>();
    expect(submissions()).toHaveLength(0);

    const { done, files } = await right(program(client)());
    expect(done).toBe(true);
    expect(files).toHaveLength(1);
    expect((await readFile(files[0]?.path ?? '')).subarray(1, 4).toString()).toBe('PNG');
    expect(submissions()).toHaveLength(1);
    expect(submissions()[0]).toMatchObject({ prompt: { '3': { inputs: { seed: 7 } } } });
  });

  it('submits once for each run', async () => {
    const { client, submissions } = await emulated();
    const program = pipe(workflow, submit());
    const jobs = [await right(program(client)()), await right(program(client)())];
    expect(new Set(jobs.map(({ promptId }) => promptId)).size).toBe(2);
    expect(submissions()).toHaveLength(2);
  });

  it('stops at the first Left, which is the error of the client', async () => {
    const { client, submissions } = await emulated();
    const program = pipe(
      RTE.fromEither(pipe(workflow, setInput('none', 'text', ''))),
      RTE.flatMap(submit()),
      RTE.flatMapTaskEither(outputs),
    );
    expect(await program(client)()).toMatchObject({ _tag: 'Left', left: { _tag: 'UnknownNode' } });
    expect(submissions()).toHaveLength(0);
  });

  it('runs a job to its last state', async () => {
    const { client } = await emulated();
    const program = pipe(workflow, run());
    expectTypeOf(program).toEqualTypeOf<ClientReader<JobState>>();
    expect((await right(program(client)())).phase).toBe('completed');
  });

  it('cancels by handle and by id, and takes up a job that exists', async () => {
    const { client } = await emulated({ speed: 0.001 });
    const [first, second] = await Promise.all([
      right(submit()(workflow)(client)()),
      right(submit()(workflow)(client)()),
    ]);
    await right(cancel()(second)(client)());
    await right(cancel({ timeoutMs: 10_000 })(first.promptId)(client)());
    const ends = await Promise.all(
      [first, second].map(({ promptId }) => pipe(job(promptId), RTE.flatMapTaskEither(outputs))(client)()),
    );
    expect(ends).toMatchObject([{ left: { _tag: 'JobCancelled' } }, { left: { _tag: 'JobCancelled' } }]);
  });

  it('follows a job by id once it is run, not before', async () => {
    const { client } = await emulated();
    const { promptId } = await right(client.rest.submit(workflow)());
    const asked: string[] = [];
    const reader = job(promptId)({
      ...client,
      job: (id) => {
        asked.push(id);
        return client.job(id);
      },
    });
    expect(asked).toEqual([]);
    const { outputs: ended } = await right(reader());
    expect(Object.keys(await right(ended()))).toEqual(['9', '10']);
    expect(asked).toEqual([promptId]);
  });

  it('makes every other call by rest, in an environment that holds more than the client', async () => {
    const { client } = await emulated();
    interface Env {
      readonly client: typeof client;
      readonly limit: number;
    }
    const isIdle = pipe(
      rest((calls) => calls.queue()),
      RTE.local((env: Env) => env.client),
      RTE.flatMap(({ pending }) => RTE.asks((env: Env) => pending.length < env.limit)),
    );
    expect(await isIdle({ client, limit: 1 })()).toEqual(E.right(true));
  });
});
