import { isJsonObject } from '../../core/protocol/json/json.js';
import { pathPart } from '../../core/protocol/path-part.js';
import type { Remote } from './remote.js';
import type { RemoteServer } from '../../core/events/remote-server.js';

/**
 * Pauses, resumes or drains one of the servers behind a gateway, and gives it as it is then: a paused or drained server gets no new jobs, and those
 * that it has go on.
 *
 * Rejects with a `ServiceError`: `Forbidden` for a caller who may not, `NotFound` for a name that the gateway does not know, `NotSupported` where it
 * has no servers.
 *
 * @example
 * ```ts
 * import { changeServer, type Remote } from 'promptwire/remote';
 *
 * const update = async (remote: Remote, name: string): Promise<void> => {
 *   const { running } = await changeServer(remote, name, 'drain');
 *   console.log(`${running} jobs to go`);
 * };
 * ```
 */
export const changeServer = (
  { ask }: Pick<Remote, 'ask'>,
  name: string,
  change: 'pause' | 'resume' | 'drain',
): Promise<RemoteServer> =>
  ask({ method: 'POST', path: `/servers/${pathPart(name)}/${change}` }, (answer) =>
    isServer(answer) ? answer : undefined,
  );

/** Whether an answer tells of a server. */
export const isServer = (value: unknown): value is RemoteServer =>
  isJsonObject(value) &&
  typeof value['name'] === 'string' &&
  typeof value['health'] === 'string' &&
  Array.isArray(value['models']);
