/* eslint-disable @typescript-eslint/await-thenable, @typescript-eslint/require-await -- what the linter says of these lines, the compiler is to say as well */
/** A call that was not run can't pass for one that was: the compiler refuses to await it, where it takes it as a `TaskEither`. */
import { type Call, type Client, type Job, type ServiceError, toPromise } from 'promptwire';
import type { Client as PromisedClient, Job as PromisedJob } from 'promptwire/promises';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Equal, Expect } from './equal.js';

export const refused: readonly ((client: Client, job: Job) => unknown)[] = [
  async (client) => {
    // @ts-expect-error -- TS1320: it has not begun
    await client.cancel('a');
  },
  async (client) => {
    // @ts-expect-error -- TS1320: it has not begun
    await client.rest.queue();
  },
  async (_, job) => {
    // @ts-expect-error -- TS1320: it has not begun
    await job.outputs;
  },
  // @ts-expect-error -- TS1058: nor has what an async function returns
  async (client) => client.submit({}),
];

export const run = async (client: Client, job: Job): Promise<readonly number[]> => {
  await client.cancel('a')();
  await toPromise(job.cancel());
  const { pending } = await toPromise(client.rest.queue());
  return pending.map(({ promptId }) => promptId.length);
};

export const task = (client: Client): TaskEither<ServiceError, void> => client.cancel('a');
export const call: Call<number> = TE.right<ServiceError, number>(1);
export const piped = (client: Client) =>
  pipe(
    client.submit({}),
    TE.chain((job) => job.outputs),
    TE.map((outputs) => Object.keys(outputs)),
  );

export type Kinds = [
  Expect<Equal<ReturnType<typeof piped>, TaskEither<ServiceError, string[]>>>,
  Expect<Equal<ReturnType<PromisedClient['cancel']>, Promise<void>>>,
  Expect<Equal<ReturnType<PromisedClient['submit']>, Promise<PromisedJob>>>,
  Expect<Equal<ReturnType<PromisedClient['job']>, PromisedJob>>,
  Expect<Equal<PromisedClient['frames'], Client['frames']>>,
  Expect<Equal<PromisedClient['run'], Client['run']>>,
  Expect<Equal<Parameters<PromisedClient['rest']['history']>, Parameters<Client['rest']['history']>>>,
];
