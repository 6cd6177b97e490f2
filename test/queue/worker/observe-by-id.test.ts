import * as E from 'fp-ts/lib/Either.js';
import { expect, it } from 'vitest';
import { observeById } from '../../../src/server/queue/worker/observe-by-id.js';
import { serviceError } from '../../../src/core/errors/service-error.js';

const unknown = (sample?: string) =>
  E.left(serviceError('NotFound', { message: 'It is unknown.', ...(sample !== undefined && { sample }) }));

it.each([
  ['has it', E.right({}), { marked: ['p'], alike: [] }],
  ['says itself that it has none', unknown('{}'), { marked: [], alike: [] }],
  ['says so with a space', unknown('{ }'), { marked: [], alike: [] }],
  ['is behind a proxy that says 404', unknown('<html></html>'), undefined],
  ['is behind a proxy whose page has its words', unknown('no {}'), undefined],
  ['is behind a proxy whose page begins with its words', unknown('{} no'), undefined],
  ['says 404 without a word', unknown(), undefined],
  [
    'does not answer',
    E.left(serviceError('Timeout', { message: 'Late.', timeoutMs: 1, sample: '{}' } as never)),
    undefined,
  ],
])('asks the service for a job by the id of its submission: one that %s', async (_, answer, expected) => {
  const asked: unknown[] = [];
  const jobStatus = (...call: readonly unknown[]) => {
    asked.push(call);
    return () => Promise.resolve(answer);
  };
  expect(await observeById({ jobStatus } as never, { submissionId: 'p' })).toEqual(expected);
  expect(asked).toEqual([['p', { timeoutMs: 10_000 }]]);
});
