import * as E from 'fp-ts/lib/Either.js';
import { expect, it } from 'vitest';
import { observeById } from '../../../src/server/queue/worker/observe-by-id.js';
import { serviceError } from '../../../src/core/errors/service-error.js';

const unknown = (sample?: string) =>
  E.left(serviceError('NotFound', { message: 'It is unknown.', ...(sample !== undefined && { sample }) }));

const nothing = { marked: [], alike: [] };
const ofJobsApi = unknown('{"error": "Job not found"}');
const late = E.left(serviceError('Timeout', { message: 'Late.', timeoutMs: 1, sample: '{}' } as never));

it.each([
  ['has it', E.right({}), { marked: ['p'], alike: [] }],
  ['says itself that it has none', unknown('{}'), nothing],
  ['says so with a space', unknown('{ }'), nothing],
  ['does not answer', late, undefined],
])('asks the service for a job by the id of its submission: one that %s', async (_, status, expected) => {
  const { rest, asked } = service(status, unknown('{}'));
  expect(await observeById(rest, { submissionId: 'p' })).toEqual(expected);
  expect(asked).toEqual([['jobStatus', 'p', { timeoutMs: 10_000 }]]);
});

it.each([
  ['has it by now', ofJobsApi, E.right({}), { marked: ['p'], alike: [] }],
  ['has none either', ofJobsApi, unknown('{}'), nothing],
  ['does not answer', ofJobsApi, late, undefined],
  ['is behind a proxy that says 404', ofJobsApi, unknown('<html></html>'), undefined],
  ['is behind a proxy whose page has its words', unknown('no {}'), unknown('no {}'), undefined],
  ['is behind a proxy whose page begins with its words', unknown('{} no'), unknown('{} no'), undefined],
  ['says 404 without a word', unknown(), unknown(), undefined],
])('asks the history after a 404 with other words: one that %s', async (_, status, record, expected) => {
  const { rest, asked } = service(status, record);
  expect(await observeById(rest, { submissionId: 'p' })).toEqual(expected);
  expect(asked).toEqual([
    ['jobStatus', 'p', { timeoutMs: 10_000 }],
    ['history', 'p', { timeoutMs: 10_000 }],
  ]);
});

const service = (status: unknown, record: unknown) => {
  const asked: unknown[] = [];
  const answering =
    (name: string, answer: unknown) =>
    (...call: readonly unknown[]) => {
      asked.push([name, ...call]);
      return () => Promise.resolve(answer);
    };
  const rest = { jobStatus: answering('jobStatus', status), history: answering('history', record) };
  return { rest: rest as never, asked };
};
