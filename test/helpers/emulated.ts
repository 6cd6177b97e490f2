import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import { filter, firstValueFrom } from 'rxjs';
import { onTestFinished } from 'vitest';
import { createClientOn } from '../../src/client/client.js';
import { fileAccess } from '../../src/core/files/file-access.js';
import type { ClientOptions } from '../../src/client/client-options.js';
import type { Client } from '../../src/client/client-types.js';
import {
  type Emulator,
  type EmulatorOptions,
  startEmulator,
  textToImageWorkflow,
} from '../../src/emulator.js';
import { toPromise } from '../../src/core/interop/to-promise.js';
import type { SubmitOptions } from '../../src/core/http/rest.js';
import type { Job } from '../../src/client/jobs/job-handle.js';
import type { JobState } from '../../src/core/state/job-state.js';
import type { Workflow } from '../../src/core/protocol/workflow.js';
import { nodePlatform } from '../../src/core/platform/node.js';
import { realClock } from '../../src/core/platform/clock.js';
import type { Platform } from '../../src/core/platform/platform.js';

/** An emulator and clients of it on real loopback sockets; all of it ends with the test. */
export interface Emulated {
  readonly emulator: Emulator;
  /** A client with the emulator's key. */
  readonly client: Client;
  /** One more client; `wrap` may put itself between it and the platform. */
  readonly newClient: (
    options?: Partial<ClientOptions>,
    wrap?: (platform: Platform) => Partial<Platform>,
  ) => Client;
  /** Bodies of the submissions that arrived. */
  readonly submissions: () => readonly Record<string, unknown>[];
}

/** Starts an {@link Emulated}; a step takes a millisecond by default, so that a job that runs on leaves the processor to the test. */
export const emulated = async (
  options: EmulatorOptions = {},
  clientOptions: Partial<ClientOptions> = {},
): Promise<Emulated> => {
  const emulator = await startEmulator({ speed: 50, ...options });
  onTestFinished(() => emulator.close());
  const newClient: Emulated['newClient'] = (more, wrap) => {
    const platform = nodePlatform();
    const client = createClientOn(
      { ...platform, ...wrap?.(platform) },
      { baseUrl: emulator.baseUrl, apiKey: emulator.apiKey, ...clientOptions, ...more },
      fileAccess,
    );
    onTestFinished(() => client.close());
    return client;
  };
  return {
    emulator,
    client: newClient(),
    newClient,
    submissions: () =>
      emulator.requests
        .filter(({ method, url, body }) => method === 'POST' && url === '/api/prompt' && body !== undefined)
        .map(({ body }) => JSON.parse(body!) as Record<string, unknown>),
  };
};

/** Time that passes so many times faster for a client, and nothing by chance: back-off and polling are quick. */
export const hurriedBy = (times: number) => (): Pick<Platform, 'clock' | 'random'> => ({
  clock: {
    ...realClock,
    now: () => realClock.now() * times,
    after: (delayMs, work, options) => realClock.after(delayMs / times, work, options),
  },
  random: () => 0.1,
});

/** Ten times faster. */
export const hurried = hurriedBy(10);

let seeds = 0;

/** A small picture that no other call has made. */
export const picture = (steps = 3): Workflow =>
  textToImageWorkflow({ width: 64, height: 64, steps, seed: (seeds += 1) });

/** Takes this many steps, so it runs for long where the emulator has a pace; equal ones are cached. */
export const slow = (steps = 100_000): Workflow => ({ 1: { class_type: 'SlowNode', inputs: { steps } } });

/** Fails with this exception type. */
export const failing = (exceptionType: string): Workflow => ({
  1: { class_type: 'FailOnPurpose', inputs: { exception_type: exceptionType, message: 'as ordered' } },
});

/** Submits, and throws what the service refused. */
export const submit = (client: Client, workflow: Workflow, options?: SubmitOptions): Promise<Job> =>
  toPromise(client.submit(workflow, options));

/** The first state, of those to come and the latest, in this phase. */
export const reaches = (job: Job, phase: JobState['phase']): Promise<JobState> =>
  firstValueFrom(job.states.pipe(filter((state) => state.phase === phase)));

/** The Left of a task that must not succeed. */
export const refusal = async <E>(task: TaskEither<E, unknown>): Promise<E> => {
  const answer = await task();
  if (answer._tag === 'Right') throw new Error('it was not refused');
  return answer.left;
};
