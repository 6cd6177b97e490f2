import { firstValueFrom, lastValueFrom, type Observable, take } from 'rxjs';
import { toAsyncIterable } from '../../../src/core/interop/to-async-iterable.js';
import { toPromise } from '../../../src/core/interop/to-promise.js';
import type { Client } from '../../../src/client/client-types.js';
import type { Workflow } from '../../../src/core/protocol/workflow.js';

/** One use of a client from the first call to the last thing that it emits. */
export type Lifecycle = (client: Client, seed: number, signal: AbortSignal) => Promise<unknown>;

/** Kinds of lifecycles, each as often as it stands here. */
export const lifecycles = (dir: string): readonly (readonly [string, Lifecycle])[] => [
  ['run', (client, seed, signal) => ended(client.run(steps(seed), { signal }))],
  ['run, left at once', (client, seed) => ended(client.run(steps(seed)).pipe(take(1)))],
  ['run, left and cancelled', leftAndCancelled],
  ['run, aborted', aborted],
  ['job that fails', (client, seed, signal) => ended(client.run(failing(seed), { signal }))],
  ['job with three watchers', watched],
  ['job by iterator', iterated],
  ['job, followed by its id', followed],
  ['runAll', (client, seed, signal) => ended(client.runAll([steps(seed), steps(seed + 1)], { signal }))],
  ['cancelled', cancelled],
  [
    'refused',
    (client, _, signal) => ended(client.run({ 1: { class_type: 'Nobody', inputs: {} } }, { signal })),
  ],
  ['downloaded', (client, seed, signal) => downloaded(client, seed, signal, dir)],
];

const ended = (stream: Observable<unknown>): Promise<unknown> =>
  lastValueFrom(stream, { defaultValue: undefined }).catch(() => undefined);

const leftAndCancelled: Lifecycle = (client, seed) =>
  ended(client.run(steps(seed), { onUnsubscribe: 'cancel' }).pipe(take(2)));

const aborted: Lifecycle = async (client, seed) => {
  const controller = new AbortController();
  const running = ended(client.run(steps(seed), { signal: controller.signal }));
  setImmediate(() => controller.abort());
  await running;
};

const watched: Lifecycle = async (client, seed, signal) => {
  const job = await toPromise(client.submit(steps(seed), { signal }));
  const frames = job.frames.subscribe({ error: () => undefined });
  await Promise.all([ended(job.states), ended(job.states), ended(job.states.pipe(take(1)))]);
  frames.unsubscribe();
};

const iterated: Lifecycle = async (client, seed, signal) => {
  const job = await toPromise(client.submit(steps(seed), { signal }));
  for await (const { phase } of toAsyncIterable(job.states, { signal, overflow: 'latest' }))
    if (phase === 'completed') return;
};

const followed: Lifecycle = async (client, seed, signal) => {
  const { promptId } = await firstValueFrom(client.run(steps(seed)).pipe(take(1)));
  if (promptId !== '') await ended(client.follow(promptId, { signal }));
};

const cancelled: Lifecycle = async (client, seed, signal) => {
  const job = await toPromise(client.submit(steps(seed), { signal }));
  await Promise.all([client.cancel(job.promptId, { signal })(), ended(job.states)]);
};

const downloaded = async (client: Client, seed: number, signal: AbortSignal, dir: string): Promise<void> => {
  const { outputs } = await lastValueFrom(client.run(picture(seed), { signal }));
  await lastValueFrom(client.download(outputs, dir, { signal, overwrite: true }));
};

/** Few different ones, so that the service has most of them cached. */
const steps = (seed: number): Workflow => ({
  1: { class_type: 'SlowNode', inputs: { steps: 1 + (seed % 4) } },
});

/** A picture that is saved without a preview, whose encoding would take most of the time. */
const picture = (seed: number): Workflow => ({
  1: { class_type: 'EmptyLatentImage', inputs: { width: 64, height: 64, batch_size: 1 } },
  2: { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: 'scenery-v1.safetensors' } },
  3: { class_type: 'VAEDecode', inputs: { samples: ['1', 0], vae: ['2', 2] } },
  4: { class_type: 'SaveImage', inputs: { images: ['3', 0], filename_prefix: `picture-${seed % 16}` } },
});

const failing = (seed: number): Workflow => ({
  1: { class_type: 'FailOnPurpose', inputs: { exception_type: 'OOMError', message: String(seed) } },
});
