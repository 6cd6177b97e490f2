import type { Call } from '../interop/call.js';
import type { CallOptions } from './rest-options.js';
import type { EngineLogs } from '../endpoints/local/engine-logs.js';
import type { FreedMemory } from '../endpoints/local/free.js';
import type { HistoryPage } from '../endpoints/local/history-list.js';
import type { HistoryRecord } from '../endpoints/history.js';
import type { UserdataFile } from '../endpoints/local/userdata.js';

/** Options of `listUserdata`. */
export interface UserdataListOptions extends CallOptions {
  /** Whether the folders below are listed as well; default false. */
  readonly recurse?: boolean | undefined;
}

/** Options of `writeUserdata`. */
export interface UserdataWriteOptions extends CallOptions {
  /** Whether a file of this name is replaced; default false, and the call is Left `BadRequest` with `status` 409. */
  readonly overwrite?: boolean | undefined;
}

/**
 * What only an engine of the local dialect can tell and do; with another dialect each of these calls is Left `NotSupported`, and nothing is
 * sent (docs/protocol.md, chapter 11).
 */
export interface EngineRest {
  /**
   * Lists the folders of models of an engine, or the files of one `folder`: `GET /api/models`, `GET /api/models/{folder}`.
   *
   * Left `NotFound` for a folder that the engine does not have.
   *
   * @example
   * ```ts
   * import { toPromise, type Client } from 'promptwire';
   *
   * const checkpoints = (client: Client): Promise<readonly string[]> => toPromise(client.rest.models('checkpoints'));
   * ```
   */
  readonly models: (folder?: string, options?: CallOptions) => Call<readonly string[]>;
  /** Lists the embeddings by the names that prompts use, without their extensions: `GET /api/embeddings`. */
  readonly embeddings: (options?: CallOptions) => Call<readonly string[]>;
  /** Lists the scripts that the editor of the engine loads, by their paths: `GET /api/extensions`. */
  readonly extensions: (options?: CallOptions) => Call<readonly string[]>;
  /**
   * Makes an engine give memory back: `POST /api/free`. Right says that it took the request: it acts once the job that runs is over.
   *
   * `unloadModels` (default true) takes the models from the devices; `freeMemory` (default false) empties the cache of results as well, so that the
   * next job runs from its beginning.
   *
   * @example
   * ```ts
   * import { toPromise, type Client } from 'promptwire';
   *
   * const makeRoom = (client: Client): Promise<void> => toPromise(client.rest.free({ freeMemory: true }));
   * ```
   */
  readonly free: (what?: FreedMemory & CallOptions) => Call<void>;
  /**
   * Reads the records of the jobs that ended, the oldest first: `GET /api/history`. `max` bounds their number, `offset` is the position of the
   * first. Left `InvalidConfig` where they are no such numbers.
   *
   * Each record has its workflow: many of them are large, up to 128 MiB are read. `recentJobs` lists jobs without their outputs.
   *
   * @example
   * ```ts
   * import { toPromise, type Client } from 'promptwire';
   *
   * const lastFailures = async (client: Client): Promise<readonly string[]> =>
   *   (await toPromise(client.rest.historyList({ max: 50 })))
   *     .filter(({ phase }) => phase === 'failed')
   *     .map(({ promptId, failure }) => `${promptId}: ${failure?.exceptionMessage ?? ''}`);
   * ```
   */
  readonly historyList: (page?: HistoryPage & CallOptions) => Call<readonly HistoryRecord[]>;
  /** Reads what the engine wrote last, some 300 lines: `GET /internal/logs/raw`, which the engine calls private and may change. */
  readonly engineLogs: (options?: CallOptions) => Call<EngineLogs>;
  /**
   * Lists the files that the editor keeps in a folder of the user, such as `workflows`: `GET /api/userdata`.
   *
   * Paths are those below the folder. Left `NotFound` where there is no such folder, `Forbidden` for one outside of the user's.
   *
   * @example
   * ```ts
   * import { toPromise, type Client } from 'promptwire';
   *
   * const savedWorkflows = async (client: Client): Promise<readonly string[]> =>
   *   (await toPromise(client.rest.listUserdata('workflows', { recurse: true }))).map(({ path }) => path);
   * ```
   */
  readonly listUserdata: (folder: string, options?: UserdataListOptions) => Call<readonly UserdataFile[]>;
  /**
   * Reads a file of the user as text, by its path from the user's folder: `GET /api/userdata/{file}`. Up to 8 MiB, or `maxAnswerBytes`.
   *
   * Left `NotFound` if there is no such file, `Decode` for a larger one, `InvalidConfig` for a text that is no path; so are the calls below.
   *
   * @example
   * ```ts
   * import { toPromise, type Client } from 'promptwire';
   * import { parseExactJson } from 'promptwire/workflow';
   *
   * const saved = async (client: Client, name: string): Promise<unknown> =>
   *   parseExactJson(await toPromise(client.rest.readUserdata(`workflows/${name}.json`)));
   * ```
   */
  readonly readUserdata: (file: string, options?: CallOptions) => Call<string>;
  /**
   * Writes a text as a file of the user, in folders that are made where they are missing: `POST /api/userdata/{file}`.
   *
   * With `overwrite` a call without an answer is sent again; without it, it is not, as the file may be there by then.
   */
  readonly writeUserdata: (file: string, content: string, options?: UserdataWriteOptions) => Call<void>;
  /** Deletes a file of the user: `DELETE /api/userdata/{file}`. Left `NotFound` if there is no such file. */
  readonly deleteUserdata: (file: string, options?: CallOptions) => Call<void>;
}
