import type { Call } from '../interop/call.js';
import { call } from './call.js';
import * as E from '../protocol/either.js';
import { isWellFormed } from '../protocol/path-part.js';
import { serviceError } from '../errors/service-error.js';
import type { ServiceError } from '../errors/errors.js';
import type { CallOptions } from './rest-options.js';
import type { Endpoint } from '../endpoints/endpoint.js';
import { embeddingsEndpoint } from '../endpoints/local/embeddings.js';
import { engineLogsEndpoint } from '../endpoints/local/engine-logs.js';
import type { EngineRest } from './engine-rest.js';
import { extensionsEndpoint } from '../endpoints/local/extensions.js';
import { freeEndpoint } from '../endpoints/local/free.js';
import { historyListEndpoint } from '../endpoints/local/history-list.js';
import type { HttpConnection } from './connection.js';
import { modelsEndpoint } from '../endpoints/local/models.js';
import { readFileText } from './read-file-text.js';
import { request } from './request.js';
import {
  deleteUserdataEndpoint,
  listUserdataEndpoint,
  readUserdataEndpoint,
  writeUserdataEndpoint,
} from '../endpoints/local/userdata.js';

/** The calls of an engine over one connection. */
export const createEngineRest = (connection: HttpConnection): EngineRest => {
  const ask = request(connection);
  const readFile = (endpoint: Endpoint<unknown>, options: CallOptions = {}): Call<string> =>
    call(connection, endpoint, options, readFileText(connection, endpoint));
  return {
    models: (folder, options) => ask(modelsEndpoint(folder), options),
    embeddings: (options) => ask(embeddingsEndpoint(), options),
    extensions: (options) => ask(extensionsEndpoint(), options),
    free: (what = {}) => ask(freeEndpoint(what), what),
    historyList: (page = {}) =>
      unless(notACount('max', page.max, 1) ?? notACount('offset', page.offset, 0), () =>
        ask(historyListEndpoint(page), page),
      ),
    engineLogs: (options) => ask(engineLogsEndpoint(), options),
    listUserdata: (folder, options) => ask(listUserdataEndpoint(folder, options?.recurse), options),
    readUserdata: (file, options) =>
      unless(noPath(file), () => readFile(readUserdataEndpoint(file), options)),
    writeUserdata: (file, content, options) =>
      unless(noPath(file), () =>
        saidOfFile(file, ask(writeUserdataEndpoint(file, content, options?.overwrite), options)),
      ),
    deleteUserdata: (file, options) => unless(noPath(file), () => ask(deleteUserdataEndpoint(file), options)),
  };
};

const unless = <A>(refusal: ServiceError | undefined, calling: () => Call<A>): Call<A> =>
  refusal === undefined ? calling() : () => Promise.resolve(E.left(refusal));

/** The refusal of a path that no address can carry as it is: another file would be meant. */
const noPath = (file: unknown): ServiceError | undefined =>
  typeof file === 'string' && !['', '.', '..'].includes(file) && isWellFormed(file)
    ? undefined
    : serviceError('InvalidConfig', {
        option: 'file',
        message: 'file is no path of a file.',
        hint: "Nothing was sent. Give its path from the user's folder: 'workflows/portrait.json'.",
      });

/** The refusal of a number at which an engine fails. */
const notACount = (option: 'max' | 'offset', value: unknown, least: number): ServiceError | undefined =>
  value === undefined || (Number.isSafeInteger(value) && (value as number) >= least)
    ? undefined
    : serviceError('InvalidConfig', {
        option,
        message: `${option} is no whole number from ${least}.`,
        hint: 'Nothing was sent. Leave it out, or give one.',
      });

/** An engine refuses with a bare 409 to replace a file (docs/protocol.md, chapter 11). */
const saidOfFile =
  (file: string, writing: Call<void>): Call<void> =>
  async () => {
    const answer = await writing();
    if (E.isRight(answer) || answer.left.status !== 409) return answer;
    const { endpoint, status, requestId, sample } = answer.left;
    return E.left(
      serviceError('BadRequest', {
        ...{ endpoint, status, requestId, sample, nodeErrors: {} },
        message: `The engine has a file ${file} already (409).`,
        hint: 'Nothing was written. Give the file another name, or replace it with overwrite: true.',
      }),
    );
  };
