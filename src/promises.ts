/**
 * The client whose calls return promises, as `fs/promises` of Node.js has the calls of `fs`.
 *
 * A call begins at once and rejects with a `ServiceError`; streams are the same Observables as in `promptwire`, which has the
 * operators, the errors and all types of values.
 *
 * @packageDocumentation
 */
import { createClient as createMainClient } from 'promptwire';
import type { Client } from './client/promises/promised.js';
import { promisedClient } from './client/promises/promised-client.js';

export type {
  Generated,
  GenerateInputs,
  GeneratedFile,
  GeneratedState,
  GenerateSource,
  InputFile,
} from './generate/generate-types.js';
export type { GenerateOptions } from './client/generate-options.js';
export type { WithOnState } from './generate/promised-generate.js';
export type {
  Client,
  GenerateCallOptions,
  Job,
  Promised,
  PromisedCalls,
  Rest,
} from './client/promises/promised.js';

/**
 * Makes a client whose calls return promises: one service, one connection, on the runtime that the program runs on.
 *
 * It takes the options of `createClient` of `promptwire`, and throws `InvalidConfig` where that does. Nothing is opened before
 * something is asked for. `close()`, or leaving an `await using` block, ends everything at once.
 *
 * @example
 * ```ts
 * import type { Workflow } from 'promptwire';
 * import { createClient } from 'promptwire/promises';
 *
 * const main = async (workflow: Workflow): Promise<void> => {
 *   await using client = createClient({ baseUrl: 'http://127.0.0.1:8188', dialect: 'local' });
 *   const job = await client.submit(workflow);
 *   for await (const { phase, progress } of job) console.log(phase, progress);
 *   const { files } = await job.download('outputs');
 *   for (const { path } of files) console.log(path);
 * };
 * ```
 */
export const createClient = (...options: Parameters<typeof createMainClient>): Client =>
  promisedClient(createMainClient(...options));
