import type { Call } from '../interop/call.js';
import * as E from '../protocol/either.js';
import type { EngineRest } from './engine-rest.js';
import type { HttpConnection } from './connection.js';
import { notLoaded } from './not-loaded.js';
import { serviceError } from '../errors/service-error.js';

/** Each call of an engine, and what it is about. */
const subjects: Readonly<Record<keyof EngineRest, string>> = {
  models: 'model files',
  embeddings: 'embeddings',
  extensions: 'scripts of an editor',
  free: 'memory to free',
  historyList: 'lists of records',
  engineLogs: 'log of an engine',
  listUserdata: 'files of a user',
  readUserdata: 'files of a user',
  writeUserdata: 'files of a user',
  deleteUserdata: 'files of a user',
};

/** The calls of an engine over one connection; the first one loads them, as most programs make none. */
export const laterEngine = (connection: HttpConnection): EngineRest =>
  eachCall((name, args) => async () => {
    const loaded = await import('./engine-calls.js').catch(() => undefined);
    if (loaded === undefined) return E.left(notLoaded());
    const call = loaded.createEngineRest(connection)[name] as (...all: readonly unknown[]) => Call<unknown>;
    return call(...args)();
  });

const eachCall = (callOf: (name: keyof EngineRest, args: readonly unknown[]) => Call<unknown>): EngineRest =>
  Object.fromEntries(
    (Object.keys(subjects) as (keyof EngineRest)[]).map((name) => [
      name,
      (...args: readonly unknown[]) => callOf(name, args),
    ]),
  ) as unknown as EngineRest;

/** The same where the server is no engine: nothing is sent. */
export const noEngine: EngineRest = eachCall(
  (name) => () =>
    Promise.resolve(
      E.left(
        serviceError('NotSupported', {
          message: `A server of this dialect has no ${subjects[name]}.`,
          hint: "Nothing was sent. An engine of your own has them: dialect: 'local'.",
        }),
      ),
    ),
);
