import { describe, expect, it } from 'vitest';
import { prepareWorkflow } from '../../../src/server/gateway/v2/prepare-workflow.js';
import { workingClock } from '../../helpers/working-clock.js';

const graph = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, nth) => [
      String(nth),
      { class_type: 'X', inputs: { a: { __type: 'core/ASSET', info: { id: `asset ${nth}` } } } },
    ]),
  );

describe('a workflow with references to assets', () => {
  it('has many of them found in slices, with a turn of the event loop between them, where the index is in memory', async () => {
    const { clock, work, turns } = workingClock();
    const find = (): Promise<undefined> => {
      work(4);
      return Promise.resolve(undefined);
    };
    const prepared = await prepareWorkflow({ find, clock }, graph(10));
    expect(prepared).toMatchObject({
      left: {
        code: 'missing_asset',
        details: { missing_ids: Array.from({ length: 10 }, (_, nth) => `asset ${nth}`) },
      },
    });
    expect(turns).toEqual([16, 32]);
  });
});
