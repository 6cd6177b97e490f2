import * as E from 'fp-ts/lib/Either.js';
import { describe, expect, it } from 'vitest';
import { recentJobsEndpoint } from '../../src/core/endpoints/recent-jobs.js';

describe('recentJobsEndpoint', () => {
  it('asks for the latest jobs of the history, as many as are wanted', () => {
    expect(recentJobsEndpoint('history_v2')).toMatchObject({
      path: '/api/history_v2',
      query: { max_items: '32' },
    });
    expect(recentJobsEndpoint('history', 5)).toMatchObject({
      path: '/api/history',
      query: { max_items: '5' },
    });
  });

  it('reads the list of a cloud service and the map of a local server', () => {
    const { read } = recentJobsEndpoint('history');
    const extraData = { mark: 1, create_time: 1000 };
    const cloud = { prompt_id: 'a', create_time: 2000, prompt: { prompt_id: 'a', extra_data: extraData } };
    expect(read({ history: [cloud, null, {}] })).toEqual(
      E.right([{ promptId: 'a', createdAt: 2000, workflow: undefined, extraData }]),
    );
    expect(read({ b: { prompt: [3, 'b', { 9: {} }, extraData, ['9']] } })).toEqual(
      E.right([{ promptId: 'b', createdAt: 1000, workflow: { 9: {} }, extraData }]),
    );
  });
});
