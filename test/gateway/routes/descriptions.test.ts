import { describe, expect, it } from 'vitest';
import { descriptions } from '../../../src/server/gateway/routes/descriptions.js';

/** What clients are made of: the name of each operation beyond API v2, where it is found, its answers and its own refusals. */
const expected: readonly (readonly [
  at: string,
  id: string,
  tag: string,
  answers: readonly number[],
  refusals: readonly number[],
])[] = [
  ['GET /jobs', 'listJobs', 'Jobs', [200], [400]],
  ['GET /jobs/:id', 'getJob', 'Jobs', [200], [404]],
  ['POST /jobs/:id/cancel', 'cancelJob', 'Jobs', [200], [404]],
  ['GET /jobs/:id/events', 'streamJob', 'Events', [200, 204], [400, 404, 501]],
  ['GET /events', 'streamJobs', 'Events', [200, 204], [400, 501]],
  ['GET /jobs/:id/outputs/:output', 'getOutput', 'Files', [200, 206], [404, 416]],
  ['GET /jobs/:id/previews/:node', 'getPreview', 'Files', [200], [404]],
  ['POST /uploads', 'uploadFile', 'Files', [200, 201], [404, 409, 413, 422, 501]],
  ['DELETE /jobs/:id', 'deleteJob', 'Jobs', [200], [404, 409, 503]],
  ['DELETE /jobs', 'deleteJobs', 'Jobs', [200], [400]],
  ['POST /jobs', 'submitJob', 'Jobs', [200, 201, 202, 206], [400, 402, 406, 413, 422]],
  [
    'POST /templates/:name',
    'submitTemplate',
    'Templates',
    [200, 201, 202, 206],
    [400, 402, 404, 406, 413, 422],
  ],
  ['GET /templates', 'listTemplates', 'Templates', [200], []],
  ['GET /templates/:name', 'getTemplate', 'Templates', [200], [404]],
  ['PUT /templates/:name', 'putTemplate', 'Templates', [200, 201], [400, 409, 413, 422]],
  ['DELETE /templates/:name', 'deleteTemplate', 'Templates', [200], [403, 404]],
  ['GET /definitions', 'getDefinitions', 'Workflows', [200, 304], [501, 503]],
  ['POST /preflight', 'preflight', 'Workflows', [200], [400, 413, 422, 501, 503]],
  ['GET /servers', 'listServers', 'Servers', [200], [403, 501]],
  ['GET /servers/events', 'streamServers', 'Servers', [200], [403, 501]],
  ['POST /servers/:name/pause', 'pauseServer', 'Servers', [200], [403, 404, 501]],
  ['POST /servers/:name/resume', 'resumeServer', 'Servers', [200], [403, 404, 501]],
  ['POST /servers/:name/drain', 'drainServer', 'Servers', [200], [403, 404, 501]],
  ['GET /webhooks', 'getWebhook', 'Webhooks', [200], [404, 501]],
  ['PUT /webhooks', 'putWebhook', 'Webhooks', [200, 201], [422, 501]],
  ['DELETE /webhooks', 'deleteWebhook', 'Webhooks', [204], [404, 501]],
  ['POST /watch-tokens', 'issueWatchToken', 'Tickets', [201], [404, 422]],
  ['GET /healthz', 'getHealth', 'Health', [200], []],
  ['GET /readyz', 'getReadiness', 'Health', [200], [503]],
  ['GET /openapi.json', 'getOpenApi', 'Health', [200], []],
];

describe('the description of the operations', () => {
  it('names each of them and its answers as clients know them', () => {
    const own = Object.entries(descriptions)
      .filter(([at]) => !at.includes('/api/v2/'))
      .map(([at, { id, tag, answers, refusals = [] }]) => [
        ...[at, id, tag, Object.keys(answers).map(Number), refusals.toSorted((one, other) => one - other)],
      ]);
    expect(own.toSorted()).toEqual(expected.toSorted());
  });

  it('says what each does, takes and answers', () => {
    for (const [at, { summary, query = {}, headers = {}, body, answers }] of Object.entries(descriptions)) {
      const words = [
        summary,
        ...[...Object.values(query), ...Object.values(headers)].map((one) => one.description),
      ];
      words.push(...Object.values(answers).map(({ description }) => description));
      expect([at, words.filter((text) => !/^[A-Z`\d].+/u.test(text))]).toEqual([at, []]);
      expect([at, body === undefined || Object.keys(body.content).length > 0]).toEqual([at, true]);
      const empty = Object.entries(answers).filter(([, { content }]) => content === undefined);
      expect([
        at,
        empty.filter(([status]) => !['204', '304'].includes(status) && !at.startsWith('HEAD')),
      ]).toEqual([at, []]);
    }
  });

  it('tells which operations take a body, and which need one', () => {
    const taking = (required: boolean): readonly string[] =>
      Object.entries(descriptions).flatMap(([at, { body }]) => (body?.required === required ? [at] : []));
    expect(taking(false).toSorted()).toEqual(['POST /templates/:name', 'POST /watch-tokens']);
    expect(taking(true).toSorted()).toEqual([
      'POST /api/v2/assets',
      'POST /api/v2/assets/from-hash',
      'POST /api/v2/jobs',
      'POST /jobs',
      'POST /preflight',
      'POST /uploads',
      'PUT /templates/:name',
      'PUT /webhooks',
    ]);
  });
});
