import type { Client } from '../../../src/client/client-types.js';
import { describe, expect, it } from 'vitest';
import { logOf, upstreamOf } from '../../../src/server/gateway/upstream/upstream.js';
import { markerField } from '../../../src/core/lost/match-candidates.js';
import type { SubmissionIds } from '../../../src/core/lost/submission-ids.js';

/** A client whose calls answer with their own names and what they were given. */
const asked = (submissionIds: SubmissionIds) => {
  const call =
    (name: string) =>
    (...given: readonly unknown[]) => [name, ...given];
  const names = ['submit', 'job', 'cancel', 'delete'];
  const client = {
    ...{ submissionIds, rest: { view: call('view') } },
    ...Object.fromEntries(names.map((name) => [name, call(name)])),
  };
  return { client, upstream: upstreamOf(client as unknown as Client) };
};

describe('a client that takes the jobs of a gateway', () => {
  it.each([
    ['none', true],
    ['unproven', true],
    ['keys', false],
    ['jobs', false],
  ] as const)(
    'submits with a marker only where nothing else shows the submission: ids are %s',
    (ids, isMarked) => {
      const { upstream } = asked(ids);
      expect(upstream.submissionIds).toBe(ids);
      const more = { extraData: { a: 1 }, partnerKey: 'key', submissionId: 's', owner: 'ann' };
      expect(upstream.submit({}, more)).toEqual([
        ...['submit', {}],
        {
          ...{ partnerKey: 'key', submissionId: 's', findLost: false },
          extraData: isMarked ? { a: 1, [markerField]: 's' } : { a: 1 },
        },
      ]);
    },
  );

  it('tells what it makes of ids by now', () => {
    const { client, upstream } = asked('unproven');
    client.submissionIds = 'jobs';
    expect(upstream.submissionIds).toBe('jobs');
  });

  it('follows, cancels, deletes and reads by its own calls', () => {
    const { upstream } = asked('none');
    const file = { filename: 'a.png' };
    expect(upstream.job('p', { 1: { class_type: 'A', inputs: {} } })).toEqual([
      ...['job', 'p', { workflow: { 1: { class_type: 'A', inputs: {} } } }],
    ]);
    expect(upstream.cancel('p')).toEqual(['cancel', 'p']);
    expect(upstream.delete?.('p')).toEqual(['delete', 'p']);
    expect(upstream.view(file, { res: 64 }, {} as never)).toEqual(['view', file, { res: 64 }]);
  });
});

describe('the log of a queue', () => {
  it('has the events of a job whose id is the queue’s, and of no other one', () => {
    const log = {} as never;
    const of = (submissionId: string, upstream?: { readonly log?: never }) =>
      logOf({ id: 'x', submissionId }, upstream);
    expect([of('x', { log }), of('s', { log }), of('x', {}), of('x')]).toEqual([
      ...[log, undefined, undefined, undefined],
    ]);
  });
});
