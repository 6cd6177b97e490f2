import { expect, it } from 'vitest';
import { dialects } from '../../src/client/dialects/dialects.js';
import { findLocalSubmission } from '../../src/client/dialects/local-submission.js';
import { fakePlatform } from '../helpers/fake-platform.js';
import { httpConnection, rightOf } from '../helpers/http-connection.js';
import type { Platform } from '../../src/core/platform/platform.js';

const workflow = { 3: { class_type: 'EmptyImage', inputs: {} } };
const record = (clientId: string, id: string) => ({ prompt: [0, id, workflow, { client_id: clientId }, []] });

it('N6: finds the job of a lost submission behind more ended jobs than one listing shows', async () => {
  const history = Object.fromEntries(
    Array.from({ length: 600 }, (_, nth) => [`p${nth}`, record(nth === 10 ? 'mine' : 'stranger', `p${nth}`)]),
  );
  const limits: number[] = [];
  const answer = (url: URL): object => {
    if (url.pathname === '/api/queue') return { queue_running: [], queue_pending: [] };
    if (url.pathname !== '/api/history') return {};
    const limit = Number(url.searchParams.get('max_items'));
    limits.push(limit);
    return Object.fromEntries(Object.entries(history).slice(-limit));
  };
  const platform: Platform = {
    ...fakePlatform(),
    request: ({ url }) => {
      const bytes = new TextEncoder().encode(JSON.stringify(answer(new URL(url))));
      const body = (async function* () {
        yield await Promise.resolve(bytes);
      })();
      return Promise.resolve({ status: 200, headers: {}, body, discard: () => undefined });
    },
  };
  const find = findLocalSubmission(httpConnection(platform, { dialect: dialects.local.http }));
  const sought = { submissionId: 'own', clientId: 'mine', workflow, startedAt: 0 };
  expect(rightOf(await find(sought)())).toEqual(['p10']);
  expect(limits).toEqual([256, 4_096]);
});
