import { describe, expect, it } from 'vitest';
import { readProgress, readRecord } from '../../../src/server/queue/store/read-record.js';

const fields = (values: Readonly<Record<string, string>>): readonly string[] => Object.entries(values).flat();
const nameless = { priority: '2', phase: 'held', createdAt: '5', fence: '3' };
const plain = { ...nameless, tenant: 't' };
const job = { id: 'x', tenant: 't', priority: 2, phase: 'held', createdAt: 5 };
const intent = { attempt: 1, worker: 'w', at: 0, since: 0, submissionIds: 'jobs', submissionId: 's' };

describe('a job as the scripts write it', () => {
  it('is read with the fence of its holder, and without what is absent or empty', () => {
    expect(readRecord('x', fields(plain))).toStrictEqual({ job, fence: 3 });
    const empty = { key: '', reason: '', outcome: '', worker: '', promptId: '', server: '', work: '' };
    expect(readRecord('x', fields({ ...plain, ...empty }))).toStrictEqual({ job, fence: 3 });
    expect(readRecord('x', fields(nameless)).job.tenant).toBe('');
  });

  it('is read with all that it has', () => {
    const texts = {
      key: 'k',
      reason: 'r',
      outcome: 'failed',
      worker: 'w',
      promptId: 'p',
      server: 's',
      work: '{}',
    };
    const numbers = { reruns: 0, endedAt: 7, cancelRequestedAt: 8 };
    const progress = { nodes: {}, progress: 0.5 };
    const all = {
      ...{ ...plain, ...texts, reruns: '0', endedAt: '7', cancelRequestedAt: '8', format: '1' },
      ...{ intent: JSON.stringify(intent), progress: JSON.stringify(progress), more: 'of a later version' },
    };
    expect(readRecord('x', fields(all)).job).toMatchObject({
      ...job,
      ...texts,
      ...numbers,
      intent,
      progress,
    });
    expect(readRecord('x', fields(all)).job).not.toHaveProperty('later');
    expect(readRecord('x', fields(all)).job).not.toHaveProperty('unreadable');
  });

  it('is one of a later version by its format', () => {
    expect(readRecord('x', fields({ ...plain, format: '2' })).job.later).toBe(true);
  });

  it.each([
    '',
    '{',
    '7',
    'null',
    JSON.stringify({ ...intent, submissionId: 5 }),
    JSON.stringify({ ...intent, attempt: '1' }),
    '{"attempt":1}',
  ])('can’t be read where its intent is %j', (text) => {
    const read = readRecord('x', fields({ ...plain, intent: text })).job;
    expect(read.unreadable).toBe(true);
    expect(read).not.toHaveProperty('intent');
  });
});

it.each([
  ...['', '{', '7', 'null', '{"nodes":7}', '{"progress":0.5}', '{"nodes":{"1":null}}'],
  ...['{"nodes":{},"progress":"1"}', '{"nodes":{},"nodeCount":12345678901234567890}'],
])('reads no progress of %j', (text) => {
  expect(readProgress(text)).toBeUndefined();
  expect(readRecord('x', fields({ ...plain, progress: text })).job).not.toHaveProperty('progress');
});
