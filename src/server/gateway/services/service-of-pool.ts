import { abortAfter } from '../../../core/platform/abort-after.js';
import type { Client } from '../../../client/client-types.js';
import type { Clock } from '../../../core/platform/platform.js';
import * as E from '../../../core/protocol/either.js';
import type { FileRef, UploadedFile } from '../../../core/protocol/file-ref.js';
import { firstValueFrom } from 'rxjs';
import type { FiledJob, GatewayService } from './gateway-service.js';
import type { GatewayPool } from './gateway-pool.js';
import { mergeDefinitions } from './merge-definitions.js';
import { serviceError } from '../../../core/errors/service-error.js';
import type { ServiceError } from '../../../core/errors/errors.js';
import { serviceOfClient } from './service-of-client.js';
import type { ViewOptions } from '../../../core/http/rest-options.js';

/** How long to look for the server that has a job, in milliseconds. */
const foundWithinMs = 5_000;

/**
 * What a gateway asks of the servers of a pool: a class or a model that any of them has is there, and a file is read on the server that has it.
 */
export const serviceOfPool = (pool: GatewayPool, clock: Pick<Clock, 'after'>): GatewayService => ({
  upload: (source) => pool.upload(source),
  uploadMask: (mask, original, server) =>
    pool.uploadMask(mask, { file: uploaded(original), server }, { type: 'input' }),
  viewUpload: (file, options) => pool.viewUpload(uploaded(file), options),
  viewOutput: (file, options, job) => async () => {
    const client = await holderOf({ pool, clock }, job, options);
    return client === undefined ? E.left(nowhere(file)) : client.rest.view(file, options)();
  },
  objectInfo: () => async () => {
    const answers = await Promise.all(
      (await clientsOf(pool)).map(({ rest }) => rest.objectInfo({ userModels: true })()),
    );
    const known = answers.filter(E.isRight).map(({ right }) => right);
    return known.length > 0
      ? E.right(mergeDefinitions(known))
      : (answers.find(E.isLeft) ?? E.left(noServer()));
  },
  preflight: (workflow, options) => async () => {
    const [first] = await clientsOf(pool);
    return first === undefined ? E.left(noServer()) : first.preflight(workflow, options)();
  },
  isReachable: async (withinMs) => {
    const asked = (await clientsOf(pool)).map(async (client) => {
      if (!(await serviceOfClient(client).isReachable(withinMs))) throw new Error('It does not answer.');
    });
    return Promise.any(asked).then(
      () => true,
      () => false,
    );
  },
});

/** The clients of the servers; those of servers that are down come last. */
const clientsOf = async (pool: Pick<GatewayPool, 'servers' | 'client'>): Promise<readonly Client[]> => {
  const servers = await firstValueFrom(pool.servers, { defaultValue: [] });
  return servers
    .toSorted((one, other) => Number(one.health === 'down') - Number(other.health === 'down'))
    .map(({ name }) => pool.client(name));
};

/**
 * The server that ran a job: the one in its record, or else the one that knows its id. Two servers may have different files of the same
 * name.
 */
const holderOf = async (
  { pool, clock }: { readonly pool: GatewayPool; readonly clock: Pick<Clock, 'after'> },
  { record, state, server = record.place?.server }: FiledJob,
  { signal }: ViewOptions = {},
): Promise<Client | undefined> => {
  const names = (await firstValueFrom(pool.servers, { defaultValue: [] })).map(({ name }) => name);
  if (server !== undefined && names.includes(server)) return pool.client(server);
  if (state.promptId === '') return undefined;
  const stops = [abortAfter(clock, foundWithinMs), ...(signal === undefined ? [] : [signal])];
  const found = await pool.serverOf(state.promptId, { signal: AbortSignal.any(stops) })();
  return E.isRight(found) ? pool.client(found.right) : undefined;
};

const uploaded = ({ filename: name, subfolder = '', type = 'input', asset }: FileRef): UploadedFile => ({
  ...{ name, subfolder, type },
  ...(asset !== undefined && { asset }),
});

const nowhere = ({ filename }: FileRef): ServiceError =>
  serviceError('DownloadFailed', { filename, reason: 'no server of the pool has its job' });

const noServer = (): ServiceError =>
  serviceError('Network', {
    ...{ code: 'EAWAY', sent: false, message: 'The pool has no server.' },
    hint: 'Add a server to the pool.',
  });
