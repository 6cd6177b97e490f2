import type { Clock } from '../../../core/platform/platform.js';
import { etagOf } from './etag.js';
import type { GatewayService } from '../services/gateway-service.js';
import { isLeft } from '../../../core/protocol/either.js';
import type { ObjectInfo } from '../../../core/endpoints/object-info.js';
import { writeExactJson } from '../../../core/protocol/json/exact-json.js';

/** The node classes of a service, and the JSON that callers get of them. */
export interface KnownDefinitions {
  readonly classes: ObjectInfo;
  readonly json: Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

/**
 * How long an answer of the service is reused, in milliseconds: it is large, and changes only when the service restarts or gets a model.
 */
const validMs = 30_000;

/** Asks for the node classes of a service once for all callers, and again after half a minute; rejects with the `ServiceError` of the call. */
export const definitionsOf = (
  { objectInfo }: Pick<GatewayService, 'objectInfo'>,
  clock: Pick<Clock, 'after'>,
): (() => Promise<KnownDefinitions>) => {
  const ask = async (): Promise<KnownDefinitions> => {
    const answer = await objectInfo()();
    if (isLeft(answer)) throw answer.left;
    return { classes: answer.right, ...(await described(answer.right)) };
  };
  let known: Promise<KnownDefinitions> | undefined;
  const forget = (): void => void (known = undefined);
  return () => {
    if (known === undefined) {
      known = ask();
      known.then(() => clock.after(validMs, forget, { background: true }), forget);
    }
    return known;
  };
};

/** The JSON of node classes and the tag of these bytes. */
export const described = async (classes: ObjectInfo): Promise<Pick<KnownDefinitions, 'json' | 'etag'>> => {
  const json = new TextEncoder().encode(writeExactJson(classes));
  return { json, etag: await etagOf(json) };
};
