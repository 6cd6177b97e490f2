import * as E from 'fp-ts/lib/Either.js';
import { createRest } from '../../src/http/create-rest.js';
import type { Rest } from '../../src/http/rest.js';
import { type FakeAnswer, fakePlatform } from './fake-platform.js';
import { httpConnection } from './http-connection.js';

/** One call of every endpoint. */
export const everyCall = (rest: Rest): readonly (() => Promise<E.Either<unknown, unknown>>)[] => [
  rest.objectInfo(),
  rest.submit({ 1: { class_type: 'X', inputs: {} } }),
  rest.jobStatus('job'),
  rest.job('job'),
  rest.history('job'),
  rest.queue(),
  rest.cancel(['job']),
  rest.interrupt(),
  rest.user(),
  rest.view({ filename: 'a.png' }),
  rest.uploadImage({ content: new Uint8Array(1), filename: 'a.png' }),
];

/** Every error that a service's answer leads to. */
export const errorsOf = async (answer: FakeAnswer): Promise<readonly unknown[]> => {
  const platform = fakePlatform(() => answer);
  const running = everyCall(createRest(httpConnection(platform))).map((call) => call());
  await platform.clock.advance(600_000);
  return (await Promise.all(running)).filter(E.isLeft).map(({ left }) => left);
};

/** What refuses. */
export const refusingStatuses: readonly number[] = [
  302, 400, 401, 402, 403, 404, 413, 418, 422, 429, 500, 503,
];
