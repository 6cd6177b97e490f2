import * as E from '../protocol/either.js';
import type { Endpoint } from '../protocol/endpoints/endpoint.js';
import { redactJson } from '../protocol/errors/redact-json.js';
import type { JobFailure } from '../protocol/state/job-failure.js';
import type { HttpConnection } from './connection.js';

/** The same endpoint, whose answers tell no secret: a node that fails may quote the key that it was given. */
export const withoutSecrets = <A extends { readonly failure?: JobFailure }>(
  endpoint: Endpoint<A>,
  { redact }: Pick<HttpConnection, 'redact'>,
): Endpoint<A> => ({
  ...endpoint,
  read: (json) => {
    const told = endpoint.read(json);
    const failure = E.isRight(told) ? told.right.failure : undefined;
    return E.isLeft(told) || failure === undefined
      ? told
      : E.right({ ...told.right, failure: redactJson(failure, redact) });
  },
});
