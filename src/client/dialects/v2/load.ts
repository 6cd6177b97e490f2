import * as E from '../../../core/protocol/either.js';
import type * as loadedLater from './loaded.js';
import { notLoaded } from '../../../core/http/not-loaded.js';
import type { ServiceError } from '../../../core/errors/errors.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';

/** The part of the dialect that only its clients load. */
export type Loaded = typeof loadedLater;

let loaded: Loaded | undefined;

/** Imports that part with the first call; where that fails, the next one tries again. */
export const load = async (): Promise<Loaded> => (loaded ??= await import('./loaded.js'));

/** A call of that part. Left is `Network`, and nothing was sent, where the part can't be loaded. */
export const later =
  <A>(call: (loaded: Loaded) => TaskEither<ServiceError, A>): TaskEither<ServiceError, A> =>
  async () => {
    try {
      loaded ??= await load();
    } catch {
      return E.left(notLoaded());
    }
    return call(loaded)();
  };
