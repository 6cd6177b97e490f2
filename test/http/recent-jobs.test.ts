import { describe, expect, it } from 'vitest';
import { dialects } from '../../src/client/dialects/dialects.js';
import { recentJobs } from '../../src/core/http/recent-jobs.js';
import { type FakeAnswer, fakePlatform } from '../helpers/fake-platform.js';
import { httpConnection, leftOf, rightOf } from '../helpers/http-connection.js';

const missing: FakeAnswer = { status: 404, body: {} };
const listing = (...ids: readonly string[]): FakeAnswer => ({
  body: { history: ids.map((prompt_id) => ({ prompt_id })) },
});

/** A service that answers as said at each path, with 404 at any other, and is asked at both routes. */
const service = (answers: Readonly<Record<string, FakeAnswer>>) => {
  const asked: string[] = [];
  const platform = fakePlatform(({ url }) => {
    const path = url.replace('http://127.0.0.1:9/api/', '');
    asked.push(path);
    return answers[path] ?? missing;
  });
  const dialect = { ...dialects.cloud.http, historyRoutes: ['history', 'history_v2'] as const };
  return { asked, connection: httpConnection(platform, { dialect }) };
};

const idsOf = (jobs: readonly { readonly promptId: string }[]): readonly string[] =>
  jobs.map(({ promptId }) => promptId);

describe('recentJobs', () => {
  it('lists the jobs of the first route that has some, as many as are asked for', async () => {
    const { asked, connection } = service({
      'history?max_items=2': listing('a', 'b'),
      'history_v2?max_items=2': listing('c'),
    });
    expect(idsOf(rightOf(await recentJobs(connection, { limit: 2 })()))).toEqual(['a', 'b']);
    expect(asked).toEqual(['history?max_items=2']);
  });

  it.each([
    ['is missing', missing],
    ['has none', listing()],
  ])('goes on to the next route where the first %s', async (_, first) => {
    const { asked, connection } = service({
      'history?max_items=2': first,
      'history_v2?max_items=2': listing('c'),
    });
    expect(idsOf(rightOf(await recentJobs(connection, { limit: 2 })()))).toEqual(['c']);
    expect(asked).toEqual(['history?max_items=2', 'history_v2?max_items=2']);
  });

  it('has the answer of the last route where no route has jobs', async () => {
    const { connection } = service({ 'history?max_items=2': listing() });
    expect(leftOf(await recentJobs(connection, { limit: 2 })())._tag).toBe('NotFound');
    const empty = service({ 'history_v2?max_items=2': listing() });
    expect(rightOf(await recentJobs(empty.connection, { limit: 2 })())).toEqual([]);
  });

  it('asks no other route after an error that says nothing of the route', async () => {
    const { asked, connection } = service({ 'history?max_items=2': { status: 403, body: {} } });
    expect(leftOf(await recentJobs(connection, { limit: 2 })())._tag).not.toBe('NotFound');
    expect(asked.every((path) => path.startsWith('history?'))).toBe(true);
  });

  it('looks jobs up by name, at either route, and leaves out those that are gone', async () => {
    const { asked, connection } = service({ 'history/a': listing('a'), 'history_v2/c': listing('c') });
    const jobs = rightOf(await recentJobs(connection, { promptIds: ['a', 'b', 'c'] })());
    expect(idsOf(jobs)).toEqual(['a', 'c']);
    expect(asked).toEqual(['history/a', 'history/b', 'history_v2/b', 'history/c', 'history_v2/c']);
  });

  it('ends at a job whose look-up fails', async () => {
    const { asked, connection } = service({
      'history/a': { status: 403, body: {} },
      'history/b': listing('b'),
    });
    expect(leftOf(await recentJobs(connection, { promptIds: ['a', 'b'] })())._tag).not.toBe('NotFound');
    expect(asked.every((path) => path === 'history/a')).toBe(true);
  });
});
