import {
  type Call,
  type Client,
  type ClientOptions,
  createClient,
  type Job,
  type JobPhase,
  type JobState,
  type Outputs,
  toPromise,
  type Workflow,
} from 'promptwire';
import type { Observable } from 'rxjs';
import type { Equal, Expect } from './equal.js';

export type Calls = [
  Expect<Equal<ReturnType<Client['run']>, Observable<JobState>>>,
  Expect<Equal<ReturnType<Client['follow']>, Observable<JobState>>>,
  Expect<Equal<ReturnType<Client['submit']>, Call<Job>>>,
  Expect<Equal<ReturnType<Client['cancel']>, Call<void>>>,
  Expect<Equal<Job['outputs'], Call<Outputs>>>,
  Expect<Equal<JobState['phase'], JobPhase>>,
  Expect<Equal<Awaited<ReturnType<Client['close']>>, void>>,
];

export const iterate = async (client: Client, workflow: Workflow): Promise<readonly JobPhase[]> => {
  const phases: JobPhase[] = [];
  for await (const { phase } of await toPromise(client.submit(workflow))) phases.push(phase);
  return phases;
};

/** With `exactOptionalPropertyTypes`, what is undefined may be passed on. */
export const passedOn = (apiKey: string | undefined, signal: AbortSignal | undefined): Client =>
  createClient({ baseUrl: 'https://service.example', apiKey, signal, dialect: undefined });

export const refused: readonly ((client: Client, state: JobState) => unknown)[] = [
  // @ts-expect-error -- there is no such dialect
  () => createClient({ baseUrl: '', dialect: 'remote' }),
  // @ts-expect-error -- a node has a class
  (client) => client.run({ 3: { inputs: {} } }),
  // @ts-expect-error -- there is no such option
  (client) => client.run({}, { onUnsubscribe: 'delete' }),
  (_, state) => {
    // @ts-expect-error -- a state is a value
    state.phase = 'completed';
  },
];

export const options: ClientOptions = { baseUrl: 'https://service.example', headers: { 'X-Team': 'a' } };
