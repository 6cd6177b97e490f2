import { describe, expect, it } from 'vitest';
import type { JobRecord } from '../../../src/server/joblog/job-index.js';
import { done } from '../../../src/core/protocol/steps.js';
import { readingGatewayRecord } from '../../../src/server/queue/store/read-gateway-record.js';

const kept: JobRecord = {
  ...{ id: 'x', owner: 'ann', client: 'default', submissionId: 's', createdAt: 5, expiresAt: 9 },
  workflow: { 1: { class_type: 'A', inputs: { seed: 2n ** 60n } } },
};
const text = JSON.stringify(kept, (_, value: unknown) => (typeof value === 'bigint' ? 0 : value)).replace(
  '"seed":0',
  `"seed":${2n ** 60n}`,
);
const plain = { id: 'x', owner: 'ann', record: text, createdAt: '5', expiresAt: '9' };
const read = (fields: Readonly<Record<string, string>>) =>
  done(readingGatewayRecord(Object.entries(fields).flat()));

describe('a record of a gateway as the scripts give it', () => {
  it('is what was kept of it, integers beyond 2^53 included', () => {
    expect(read(plain)).toStrictEqual({ record: kept });
    expect(read({ ...plain, format: '1' })).toStrictEqual({ record: kept });
  });

  it('has what became known of the job since', () => {
    const place = { server: 'attic', attempt: 2, submissionIds: 'jobs' };
    const known = { promptId: 'p', cancelRequestedAt: '7', place: JSON.stringify(place), expiresAt: '20' };
    expect(read({ ...plain, ...known, phase: 'failed', endedAt: '8' })).toStrictEqual({
      record: {
        ...kept,
        ...{ promptId: 'p', cancelRequestedAt: 7, place, expiresAt: 20 },
        ended: { phase: 'failed', at: 8 },
      },
    });
  });

  it.each(['completed', 'failed', 'cancelled', 'untraceable', 'unknown'])('knows the end %s', (phase) => {
    expect(read({ ...plain, phase, endedAt: '8' })?.record.ended).toEqual({ phase, at: 8 });
  });

  it.each([
    [{ phase: 'renamed', endedAt: '8' }],
    [{ phase: 'failed', endedAt: 'late' }],
    [{ phase: 'failed' }],
    [{ endedAt: '8' }],
    [{ place: '{"cut' }],
    [{ place: '[]' }],
    [{ place: '{"server":7}' }],
  ])('goes without an end or a place that can’t be read: %j', (more) => {
    expect(read({ ...plain, ...more })).toStrictEqual({ record: kept });
  });

  it('has another moment in place of one that can’t be read', () => {
    const { record } = read({ ...plain, expiresAt: 'late', cancelRequestedAt: 'early' }) ?? {};
    expect(record).toStrictEqual({ ...kept, cancelRequestedAt: 5 });
  });

  it.each([{}, { id: 'x' }, { owner: 'ann', record: text }, { ...plain, format: '2' }])(
    'is none without its name or owner, and none of a later format: %j',
    (fields) => {
      expect(read(fields as Readonly<Record<string, string>>)).toBeUndefined();
    },
  );
});

const deep = JSON.parse(`${'['.repeat(2_000)}${']'.repeat(2_000)}`) as unknown;

describe('a record of a gateway whose text can’t be read', () => {
  const standIn = { id: 'x', owner: 'ann', client: '', submissionId: '', workflow: {}, unreadable: true };

  it.each([
    ...['', '{"cut', '7', '[]'],
    ...[
      { ...kept, id: 'y' },
      { ...kept, owner: 'bob' },
      { ...kept, client: 7 },
      { ...kept, submissionId: 7 },
      { ...kept, workflow: 7 },
      // What a gateway could neither list nor show.
      { ...kept, workflow: { 1: null } },
      { ...kept, createdAt: 'then' },
      { ...kept, expiresAt: null },
      { ...kept, metadata: { a: 7 } },
      { ...kept, metadata: 'a' },
      { ...kept, template: 7 },
      { ...kept, key: {} },
      { ...kept, promptId: 7 },
      { ...kept, cancelRequestedAt: 'then' },
      { ...kept, ended: { phase: 'renamed', at: 1 } },
      { ...kept, ended: { phase: 'failed', at: null } },
      { ...kept, place: 7 },
      { ...kept, kept: 7 },
      { ...kept, kept: { workflow: { 1: 7 } } },
      { ...kept, kept: { extraData: 7 } },
      { ...kept, kept: { files: 7 } },
      { ...kept, workflow: { 1: { inputs: { deep } } } },
    ].map((one) => JSON.stringify(one, (_, value: unknown) => (typeof value === 'bigint' ? 0 : value))),
  ])('is what its other fields say, and another one stands for it: %s', (record) => {
    const whole = { ...standIn, createdAt: 5, expiresAt: 9, key: 'k' };
    expect(read({ ...plain, record, key: 'k', promptId: 'p' })).toStrictEqual({
      record: { ...whole, promptId: 'p' },
      standIn: whole,
    });
  });

  it('was made at no known time and never expires, where the other fields are gone as well', () => {
    const bare = { ...standIn, createdAt: 0, expiresAt: Number.MAX_SAFE_INTEGER };
    expect(read({ id: 'x', owner: 'ann', key: '' })).toStrictEqual({ record: bare, standIn: bare });
  });
});
