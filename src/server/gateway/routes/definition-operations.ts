import { described, type KnownDefinitions } from '../definitions/known-definitions.js';
import { type Either, isLeft, left, right } from '../../../core/protocol/either.js';
import { isKnownTo } from '../definitions/etag.js';
import { isServiceError } from '../../../core/errors/tagged-error.js';
import type { ObjectInfo } from '../../../core/endpoints/object-info.js';
import { ofBytes } from '../http/respond.js';
import { roomForLarge } from '../http/large-json.js';
import { refusal, refusalOf } from '../v2/refusal.js';
import type { Refusal } from '../http/refusal.js';
import type { RouteCall } from '../http/route.js';
import { answers, type Operations } from '../openapi/operation.js';
import { nodeClasses } from '../contract/workflows.js';
import * as t from 'io-ts';

/** Gives the node classes of the service that takes the gateway's jobs; undefined if the gateway has no client that could ask. */
export type FindDefinitions = (() => Promise<KnownDefinitions>) | undefined;

/**
 * `GET /definitions`: the node classes of the service as its `object_info` has them, or those that `class` names, as often as it is given; one
 * that the service lacks is left out. A caller that has the bytes gets 304.
 */
export const listDefinitions =
  (find: FindDefinitions) =>
  async (call: RouteCall): Promise<Response | Refusal> => {
    const { url, request } = call;
    const known = await askDefinitions(find);
    if (isLeft(known)) return known.left;
    const names = url.searchParams.getAll('class');
    const { json, etag } = names.length === 0 ? known.right : await ofClasses(call, known.right, names);
    // The browser keeps them, and asks whether they have changed.
    const headers = new Headers({
      etag,
      'cache-control': 'private, no-cache',
      vary: 'Authorization, Cookie',
    });
    if (isKnownTo(request, etag)) return new Response(null, { status: 304, headers });
    headers.set('content-type', 'application/json');
    return ofBytes(json, { headers, areShared: names.length === 0 });
  };

/** The node classes, or why the gateway has none. */
export const askDefinitions = async (find: FindDefinitions): Promise<Either<Refusal, KnownDefinitions>> => {
  if (find === undefined) return left(noClient);
  try {
    return right(await find());
  } catch (error) {
    if (isServiceError(error)) return left(refusalOf(error));
    throw error;
  }
};

/** Some of the classes, written for this call alone. */
const ofClasses = async (
  call: RouteCall,
  { classes }: KnownDefinitions,
  names: readonly string[],
): Promise<Pick<KnownDefinitions, 'json' | 'etag'>> => {
  const asked = only(classes, names);
  await roomForLarge(call, asked);
  return described(asked);
};

const only = (classes: ObjectInfo, names: readonly string[]): ObjectInfo =>
  Object.fromEntries(names.flatMap((name) => (name in classes ? [[name, classes[name]]] : []))) as ObjectInfo;

const noClient: Refusal = refusal(
  501,
  'not_implemented',
  'This gateway has no client that could ask for node classes: its operator gives it one beside its queue.',
);

/** What OpenAPI tells of this operation. */
export const definitionDescriptions: Operations = {
  'GET /definitions': {
    ...{ id: 'getDefinitions', tag: 'Workflows', summary: 'Read the node classes of the service' },
    query: {
      class: { codec: t.array(t.string), description: 'Of these classes only; default all of them.' },
    },
    headers: { 'If-None-Match': { codec: t.string, description: 'The ETag of what you have.' } },
    answers: {
      200: answers('The classes by name.', nodeClasses, { ETag: 'Names these bytes.' }),
      304: { description: 'You have these bytes.' },
    },
    refusals: [501, 503],
  },
};
