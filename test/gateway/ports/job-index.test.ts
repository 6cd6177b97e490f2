import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { filePorts } from '../../../src/gateway/node/file-ports.js';
import { indexSteps, playIndex } from './job-index-model.js';
import { join } from 'node:path';
import { memoryJobIndex } from '../../../src/gateway/ports/memory-job-index.js';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { runs } from '../../helpers/runs.js';

const limits = { maxJobs: 3, maxKeys: 2 };
const hourMs = 3_600_000;

const record = (id: string, more: object = {}) => ({
  ...{ id, owner: 'alice', client: 'default', createdAt: 0, expiresAt: 24 * hourMs, workflow: {} },
  submissionId: `s-${id}`,
  ...more,
});

describe('an index of jobs', () => {
  it('is what its contract says, in memory', async () => {
    await fc.assert(
      fc.asyncProperty(indexSteps, async (steps) => {
        const { answers, expected } = await playIndex(steps, limits, () =>
          Promise.resolve(memoryJobIndex(limits)),
        );
        expect(answers).toEqual(expected);
      }),
      { numRuns: runs(300) },
    );
  });

  it('is what its contract says, in a file that is closed and opened again and again', async () => {
    const root = await mkdtemp(join(tmpdir(), 'promptwire-index-'));
    onTestFinished(() => rm(root, { recursive: true, force: true }));
    let plays = 0;
    await fc.assert(
      fc.asyncProperty(indexSteps, fc.integer({ min: 2, max: 9 }), async (steps, reopenEach) => {
        const folder = join(root, String((plays += 1)));
        const open = async () => (await filePorts(folder, { sync: false, ...limits })).index;
        const { answers, expected } = await playIndex(steps, limits, open, reopenEach);
        expect(answers).toEqual(expected);
      }),
      { numRuns: 25 },
    );
  });

  it('keeps the key of a job that runs longer than a day', async () => {
    const index = memoryJobIndex();
    await index.add(record('a', { key: 'k' }));
    expect(await index.expire(30 * hourMs)).toEqual([]);
    expect(await index.add(record('b', { key: 'k' }))).toMatchObject({
      _tag: 'keyUsed',
      existing: { id: 'a' },
    });
    // Its end makes it a job like any other.
    await index.update('a', { ended: { phase: 'completed', at: 30 * hourMs }, expiresAt: 31 * hourMs });
    expect((await index.expire(31 * hourMs)).map(({ id }) => id)).toEqual(['a']);
    expect(await index.add(record('b', { key: 'k' }))).toMatchObject({ _tag: 'added' });
  });

  it('counts the characters of its records, and takes what fits exactly', async () => {
    const size = JSON.stringify(record('a')).length;
    const index = memoryJobIndex({ maxSize: 2 * size });
    await index.add(record('a'));
    await index.add(record('b'));
    expect(await index.add(record('c'))).toEqual({ _tag: 'full' });
    await index.remove('b');
    expect(await index.add(record('c'))).toEqual({ _tag: 'added', evicted: [] });
    await index.update('a', { ended: { phase: 'failed', at: 1 } });
    await index.update('c', { ended: { phase: 'failed', at: 1 } });
    expect(await index.add(record('a larger one'))).toMatchObject({ evicted: [{ id: 'a' }, { id: 'c' }] });
    expect((await index.list('alice', { limit: 9 })).map(({ id }) => id)).toEqual(['a larger one']);
  });
});
