import * as E from 'fp-ts/lib/Either.js';
import { deleteRecord, ephemeralRefusal } from '../../../src/server/queue/worker/ephemeral.js';
import { expect, it } from 'vitest';
import type { ServiceError, SubmissionIds } from 'promptwire';
import { serviceError } from '../../../src/core/errors/service-error.js';

const deliver = (): Promise<void> => Promise.resolve();

it.each(['jobs', 'unproven', 'none'] as const)(
  'a worker with a sink runs ephemeral jobs at a service that deletes records: %s',
  (submissionIds) => {
    expect(ephemeralRefusal({ client: { submissionIds }, deliver })).toBeUndefined();
  },
);

it.each<readonly [string, SubmissionIds, typeof deliver | undefined, RegExp, string]>([
  ['has no sink', 'jobs', undefined, /^The worker has no sink/u, 'Give the workers of the queue a sink'],
  ['has a service of API v2', 'keys', deliver, /API v2 deletes no records/u, 'Leave ephemeral out'],
])('a worker that %s refuses them, and says what to do', (_, submissionIds, sink, message, hint) => {
  expect(ephemeralRefusal({ client: { submissionIds }, deliver: sink })).toMatchObject({
    _tag: 'NotSupported',
    message: expect.stringMatching(message) as string,
    hint: expect.stringMatching(new RegExp(`^${hint}.*Nothing was sent\\.$`, 'u')) as string,
  });
});

/** Deletes the record of job `x` at a service that has it as `p`; gives what was asked and warned. */
const deleted = async (refusal?: ServiceError) => {
  const told: string[] = [];
  const client = {
    delete: (promptId: string) => () => {
      told.push(`delete ${promptId}`);
      return Promise.resolve(refusal === undefined ? E.right(undefined) : E.left(refusal));
    },
  };
  const context = { client, warn: (message: string) => told.push(message) };
  await deleteRecord({ held: { id: 'x' }, context } as never, 'p');
  return told;
};

it('the record of an ephemeral job is deleted, and one that is gone is as good', async () => {
  expect(await deleted()).toEqual(['delete p']);
  expect(await deleted(serviceError('NotFound', {}))).toEqual(['delete p']);
});

it('a record that stays at the service is a warning', async () => {
  expect(await deleted(serviceError('ServerError', { message: 'It is busy.' }))).toEqual([
    'delete p',
    'The record of the job x stays at the service as p. It is busy.',
  ]);
});
