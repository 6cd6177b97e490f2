import { expect, it } from 'vitest';
import fc from 'fast-check';
import { indexSteps, playIndex } from './job-index-model.js';
import type { JobIndex, JobRecord } from '../../../src/server/joblog/job-index.js';

const record = (id: string, more: Partial<JobRecord> = {}): JobRecord => ({
  ...{ id, owner: 'o', client: 'default', createdAt: 1, expiresAt: 10, submissionId: `s-${id}` },
  workflow: { 1: { class_type: 'A', inputs: { seed: 2n ** 60n } } },
  ...more,
});

/** How much an index of the contract keeps. */
export type IndexLimits = Parameters<typeof playIndex>[1] & { readonly maxSize?: number };

/** What every index of jobs is, in memory, in a folder or in Redis; `open` is as for a log. */
export const isAJobIndex = (
  open: (name: string, limits?: IndexLimits) => Promise<JobIndex>,
  plays: number,
  reopens: boolean,
  limits: IndexLimits = { maxJobs: 3, maxKeys: 2 },
): void => {
  let names = 0;
  const newName = (): string => `index ${(names += 1)}`;

  it('gives back a record as it was added, with what was changed since', async () => {
    const index = await open(newName());
    await index.add(record('x', { key: 'k' }));
    expect(await index.get('x')).toEqual(record('x', { key: 'k' }));
    await index.update('x', { promptId: 'p' });
    expect(await index.get('x')).toEqual(record('x', { key: 'k', promptId: 'p' }));
    await index.update('x', { cancelRequestedAt: 3, expiresAt: 20 });
    const changed = record('x', { key: 'k', promptId: 'p', cancelRequestedAt: 3, expiresAt: 20 });
    expect(await index.get('x')).toEqual(changed);
    await index.update('x', { ended: { phase: 'failed', at: 5 } });
    expect(await index.get('x')).toEqual({ ...changed, ended: { phase: 'failed', at: 5 } });
    expect(await index.get('unheard of')).toBeUndefined();
    if (index.has !== undefined)
      expect([await index.has('x'), await index.has('unheard of')]).toEqual([true, false]);
    await index.close?.();
  });

  it('lists the records of an owner or of all, the newest first, page by page', async () => {
    const index = await open(newName());
    for (const id of ['1', '2', '3']) await index.add(record(id));
    await index.add(record('4', { owner: 'other' }));
    const list = async (owner: string | undefined, limit: number, after?: string) =>
      (await index.list(owner, { limit, after })).map(({ id }) => id);
    expect(await list('o', 2)).toEqual(['3', '2']);
    expect(await list('o', 2, '2')).toEqual(['1']);
    expect(await list(undefined, 10)).toEqual(['4', '3', '2', '1']);
    expect(await list(undefined, 2, '4')).toEqual(['3', '2']);
    expect(await list('other', 10)).toEqual(['4']);
    expect(await list('o', 10, '4')).toEqual([]);
    expect(await list(undefined, 10, 'unheard of')).toEqual([]);
    await index.close?.();
  });

  it('gives a key to one of many jobs that come at once', async () => {
    const index = await open(newName());
    const added = await Promise.all(
      Array.from({ length: 50 }, (_, nth) => index.add(record(`j${nth}`, { key: 'k' }))),
    );
    const tags = added.map(({ _tag }) => _tag);
    expect(tags.filter((tag) => tag === 'added')).toHaveLength(1);
    expect(tags.filter((tag) => tag === 'keyUsed')).toHaveLength(49);
    expect(await index.list('o', { limit: 99 })).toHaveLength(1);
    await index.close?.();
  });

  it('O7: keeps the pictures of a job as long as the job, and none of an unknown one', async () => {
    const index = await open(newName());
    const images = index.images!;
    const image = { mediaType: 'image/png', bytes: Uint8Array.of(0, 10, 255, 13) };
    expect(await images.put('x', { nodeId: '2', index: 0 }, image)).toBe(false);
    await index.add(record('x'));
    const places = [
      { nodeId: '2', index: 0 },
      { nodeId: '2!1:\u00e9', index: 12 },
    ];
    for (const place of places) {
      expect(await images.put('x', place, image)).toBe(true);
      expect(await images.put('x', place, { ...image, mediaType: 'image/webp' })).toBe(true);
      expect(await images.get('x', place)).toEqual({ ...image, mediaType: 'image/webp' });
    }
    expect(await images.get('x', { nodeId: '2', index: 1 })).toBeUndefined();
    await index.update('x', { ended: { phase: 'completed', at: 5 } });
    expect(await index.expire(11)).toHaveLength(1);
    for (const place of places) expect(await images.get('x', place)).toBeUndefined();
    await index.close?.();
  });

  it.each([
    ['its bound', 5_000, undefined],
    ['that of an owner', 1_000_000, { maxSize: 5_000 }],
  ])('O7: counts pictures towards %s, and keeps none beyond it', async (_, maxSize, share) => {
    const index = await open(newName(), { maxJobs: 9, maxKeys: 2, maxSize });
    await index.add(record('x'), undefined, share);
    const image = { mediaType: 'image/png', bytes: new Uint8Array(30) };
    const put = (at: number) => index.images?.put('x', { nodeId: '2', index: at }, image);
    let kept = 0;
    while (kept < 1_000 && (await put(kept)) === true) kept += 1;
    expect(kept).toBeLessThan(5_000 / 30);
    expect(await index.images?.get('x', { nodeId: '2', index: kept })).toBeUndefined();
    // One that takes the place of another of its size needs no room.
    expect(await put(0)).toBe(true);
    expect(await index.add(record('y'), undefined, share)).toMatchObject({ _tag: 'full' });
    await index.update('x', { ended: { phase: 'completed', at: 5 } });
    const added = await index.add(record('y'), undefined, share);
    expect(added).toMatchObject({ _tag: 'added', evicted: [{ id: 'x' }] });
    expect(await index.images?.get('x', { nodeId: '2', index: 0 })).toBeUndefined();
    await index.close?.();
  });

  it('is what its contract says', async () => {
    await fc.assert(
      fc.asyncProperty(indexSteps, fc.integer({ min: 2, max: 9 }), async (steps, reopenEach) => {
        const name = newName();
        const { answers, expected } = await playIndex(
          ...([steps, limits, () => open(name, limits), reopens ? reopenEach : Infinity] as const),
        );
        expect(answers).toEqual(expected);
      }),
      { numRuns: plays },
    );
  });
};
