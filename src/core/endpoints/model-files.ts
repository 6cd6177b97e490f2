import * as E from '../protocol/either.js';
import type { Endpoint } from './endpoint.js';
import { isJsonObject } from '../protocol/json/json.js';
import { pathPart } from '../protocol/path-part.js';

/**
 * The names of the models in a folder (docs/protocol.md, chapter 2.14): `GET /api/experiment/models/{folder}`, or of a server without it
 * `GET /api/models/{folder}`.
 */
export const modelFilesEndpoint = (
  folder: string,
  route: 'experiment/models' | 'models',
): Endpoint<readonly string[]> => ({
  method: 'GET',
  path: `/api/${route}/${pathPart(folder)}`,
  idempotency: 'always',
  read: readModelFiles,
});

const readModelFiles = (json: unknown): E.Either<string, readonly string[]> =>
  Array.isArray(json)
    ? E.right(
        json.flatMap((entry: unknown) => {
          const name = isJsonObject(entry) ? entry['name'] : entry;
          return typeof name === 'string' ? [name] : [];
        }),
      )
    : E.left('the models are no list');
