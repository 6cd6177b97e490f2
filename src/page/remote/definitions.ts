import { isJsonObject } from '../../core/protocol/json/json.js';
import type { ObjectInfo } from '../../core/endpoints/object-info.js';
import type { Remote } from './remote.js';

/**
 * Reads the node classes of the service behind the gateway, or those that are named; one that the service lacks is left out.
 *
 * They are what `object_info` of the service has, several megabytes in all: the browser keeps them, and the gateway sends them again only
 * where they changed. Rejects with a `ServiceError`: `NotSupported` where the gateway has no client that could ask. It is a function, so
 * that a page without it loads none of it.
 *
 * @example
 * ```ts
 * import { definitions, type Remote } from 'promptwire/remote';
 *
 * const samplers = async (remote: Remote): Promise<unknown> =>
 *   (await definitions(remote, ['KSampler']))['KSampler']?.input.required?.['sampler_name'];
 * ```
 */
export const definitions = (
  { ask }: Pick<Remote, 'ask'>,
  classes: readonly string[] = [],
): Promise<ObjectInfo> => {
  const query = new URLSearchParams(classes.map((name) => ['class', name]));
  return ask(
    { path: classes.length === 0 ? '/definitions' : `/definitions?${query}`, cache: 'no-cache' },
    (answer) => (isJsonObject(answer) ? (answer as ObjectInfo) : undefined),
  );
};
