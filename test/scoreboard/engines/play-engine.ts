import { type Emulator, type Ledger, type LedgerJob, startEmulator } from '../../../src/emulator.js';
import type { Client } from '../../../src/client/client-types.js';
import type { Clock } from '../../../src/core/platform/platform.js';
import { countedPlatform } from '../real/counted-platform.js';
import type { GeneratedService } from './generated-service.js';
import type { ServiceJob } from './draw-job.js';
import { from, lastValueFrom, mergeMap, type Observable, tap } from 'rxjs';
import type { JobState } from '../../../src/core/state/job-state.js';
import { type MakeClient, realClient } from '../../simulation/play.js';
import { nodePlatform } from '../../../src/core/platform/node.js';
import { randomOf } from '../../simulation/random.js';
import { steadyClock } from './steady-clock.js';
import { sinks } from '../../helpers/sinks.js';
import { toPromise } from '../../../src/core/interop/to-promise.js';

/** What the client told of one of its jobs. */
export interface Told {
  readonly job: ServiceJob;
  /** The last state, if there was one. */
  readonly last: JobState | undefined;
  readonly error: unknown;
  /** Whether anything was told of its end within the time. */
  readonly isSettled: boolean;
}

/** What a run on an engine left behind. */
export interface EngineRun {
  readonly engine: GeneratedService;
  readonly told: readonly Told[];
  readonly ledger: Pick<Ledger, 'jobs'>;
  /** `METHOD /path` of what the engine was asked, in order. */
  readonly asked: readonly string[];
  /** What the client held once it was closed. */
  readonly held: Readonly<Record<string, number>>;
}

/** How many times faster the time of the client runs. */
const hurry = 20;
/** Many times what a run takes, by the clock of the client: a machine that is busy makes both wait. */
const patienceMs = 1_200_000;

/** Under `extra_data`, whose job it is: the engine hands it on and reads nothing in it. */
export const markOf = ({ extraData }: Pick<LedgerJob, 'extraData'>): unknown => extraData['mark'];
export const mine = (index: number): string => `mine ${index}`;

/** Plays the jobs of one engine, all at once, until each has an end or nobody would wait for it any longer. */
export const playEngine = async (
  engine: GeneratedService,
  makeClient: MakeClient = realClient,
): Promise<EngineRun> => {
  const emulator = await startEmulator(engine.options);
  const random = randomOf(engine.seed, 33);
  const { clock, stop } = steadyClock(hurry);
  const platform = countedPlatform({ ...nodePlatform(), clock, random: random.next });
  const client = makeClient(platform, { ...emulator, tier: 'unlimited' });
  const strangers = engine.strangers.map((stranger, index) => ({ ...stranger, index }));
  for (const { steps, index } of strangers.filter(({ isFirst }) => isFirst))
    await submitAsStranger(emulator, steps, index);
  const told = Promise.all(engine.jobs.map((job) => patiently(job, client, clock)));
  for (const { steps, index } of strangers.filter(({ isFirst }) => !isFirst))
    await submitAsStranger(emulator, steps, index);
  const all = await told;
  await client.close();
  await until(clock, patienceMs, () => emulator.ledger.jobs.every(hasEnded));
  await until(clock, 40_000, () => Object.values(platform.held()).every((count) => count === 0));
  stop();
  const jobs = [...emulator.ledger.jobs];
  const asked = emulator.requests.map(({ method, url }) => `${method} ${url.split('?')[0] ?? ''}`);
  await emulator.close();
  return { engine, told: all, ledger: { jobs }, asked, held: platform.held() };
};

/** Waits for something, or for so long by the clock. */
const until = async (clock: Clock, withinMs: number, holds: () => boolean): Promise<void> => {
  const end = clock.now() + withinMs;
  while (!holds() && clock.now() < end) await new Promise((resolve) => setTimeout(resolve, 3));
};

const hasEnded = ({ state }: LedgerJob): boolean => state !== 'pending' && state !== 'in_progress';

/** Another program: it knows nothing of the client. */
const submitAsStranger = async (emulator: Emulator, steps: number, index: number): Promise<void> => {
  const inputs = { steps, anything: `stranger ${index}` };
  const body = {
    ...{ prompt: { 1: { class_type: 'SlowNode', inputs } }, client_id: `stranger-${index}` },
    extra_data: { mark: `stranger ${index}` },
  };
  // The engine may lose or refuse this one, too; then there is one stranger less.
  const headers = { 'content-type': 'application/json', 'x-api-key': emulator.apiKey };
  await fetch(`${emulator.baseUrl}/api/prompt`, { method: 'POST', headers, body: JSON.stringify(body) }).then(
    (answer) => answer.text(),
    () => undefined,
  );
};

const patiently = (job: ServiceJob, client: Client, clock: Clock): Promise<Told> => {
  let cancelTimer = (): void => undefined;
  let last: JobState | undefined;
  const states = statesOf(job, client).pipe(
    tap((state) => {
      last = state;
      sinks.state('a state of a job', state);
    }),
  );
  const settled = lastValueFrom(states).then(
    () => ({ job, last, error: undefined, isSettled: true }),
    (error: unknown) => {
      sinks.value('an error of a job', error);
      return { job, last, error, isSettled: true };
    },
  );
  const tired = new Promise<Told>((resolve) => {
    cancelTimer = clock.after(patienceMs, () => resolve({ job, last, error: undefined, isSettled: false }));
  });
  return Promise.race([settled, tired]).finally(() => cancelTimer());
};

const statesOf = ({ index, workflow, via, cancels }: ServiceJob, client: Client): Observable<JobState> => {
  const options = { extraData: { mark: mine(index) } };
  const states =
    via === 'run'
      ? client.run(workflow, options)
      : from(toPromise(client.submit(workflow, options))).pipe(mergeMap((job) => job.states));
  return cancels === undefined ? states : cancelled(states, cancels, client);
};

/** Cancels a job once, as soon as it is where its plan says; some are over before that. */
const cancelled = (
  states: Observable<JobState>,
  when: NonNullable<ServiceJob['cancels']>,
  client: Client,
): Observable<JobState> => {
  let isAsked = false;
  return states.pipe(
    tap(({ phase, promptId }) => {
      const isThere = phase === 'in_progress' || (when === 'once accepted' && phase === 'pending');
      if (!isThere || isAsked) return;
      isAsked = true;
      void client.cancel(promptId)();
    }),
  );
};
