import { cloud } from '../cloud.js';
import { isEnvelope } from '../envelope.js';
import { restOfV2 } from './rest.js';
import { deletingInV2 } from '../deletion.js';
import { isAbsent, noList } from '../jobs-by-api.js';
import { listJobsEndpoint } from '../../../core/endpoints/v2/list-jobs.js';
import { notSupported } from './v1-routes.js';
import type { DialectStrategy } from '../dialect.js';
import * as E from '../../../core/protocol/either.js';
import type { HttpDialect } from '../../../core/http/connection.js';
import { noJobEndpoint, v2Root } from '../../../core/endpoints/v2/job.js';
import { jobEvents } from './event-source.js';
import { later } from './load.js';
import { request } from '../../../core/http/request.js';
import { submitJobEndpoint } from '../../../core/endpoints/v2/submit-job.js';

/** The routes of v1 that stand beside API v2 take the key in the header of v1. */
const authHeaders: HttpDialect['authHeaders'] = (key, path) =>
  path.startsWith(v2Root) ? bearer(key) : { 'x-api-key': key };

const bearer = (key: string): Readonly<Record<string, string>> => ({ authorization: `Bearer ${key}` });

/** A service of API v2: jobs by REST, and a stream of Server-Sent Events for each (docs/protocol.md, chapter 12). */
export const v2: DialectStrategy = {
  name: 'v2',
  usesKey: true,
  // A service that accepts the key says that it has no such job.
  keyCheck: (connection, options) => async () => {
    const answer = await request(connection)(noJobEndpoint(), options)();
    return E.isLeft(answer) && answer.left._tag === 'NotFound' && isEnvelope(answer.left)
      ? E.right(undefined)
      : answer;
  },
  http: {
    keyHeaders: ['authorization', 'x-api-key'],
    authHeaders,
    jobStatus: (connection) => (promptId, options) =>
      later(({ askStatus }) => askStatus(request(connection), promptId, options)),
    history: (connection) => (promptId, options) =>
      later(({ readRecord }) => readRecord(request(connection), promptId, options)),
    historyRoutes: ['history', 'history_v2'],
    submission: ({ platform }, workflow, { submissionId = platform.uuid(), ...fields }) =>
      submitJobEndpoint(workflow, fields, submissionId),
    takes: ['labels'],
    jobsApi: 'none',
    partnerKeyField: 'api_key_comfy_org',
    servesFiles: true,
    explainRefusal: () => undefined,
    untyped429: 'QueueFull',
    refusesBy503: false,
  },
  rest: restOfV2,
  events: jobEvents,
  cancel: (rest, promptId, options) => async () => {
    const asked = await rest.cancel([promptId], options)();
    return E.isLeft(asked) ? asked : E.right('asked');
  },
  listJobs:
    (connection) =>
    ({ labels = {}, workflowId, limit, page }, options) =>
    async () => {
      if (workflowId !== undefined) return E.left(notSupported('a list of the jobs of one workflow'));
      const filters = Object.entries(labels).map(([key, value]) => [`metadata[${key}]`, value] as const);
      const query = {
        limit: String(limit),
        ...Object.fromEntries(filters),
        ...(page !== undefined && { cursor: page }),
      };
      const answer = await request(connection)(listJobsEndpoint(query), options)();
      return E.isLeft(answer) && isAbsent(answer.left) ? E.left(noList(answer.left)) : answer;
    },
  deleting: deletingInV2,
  jobs: {
    eventsFollowClientId: false,
    polledThroughout: true,
    statusIncludesHistory: true,
    recordsAppearWhole: true,
    marksRecords: false,
    recordsHoldMessages: false,
    recordsCanBeDeleted: false,
    knownOnceSubmitted: false,
    announcesQueue: false,
    cancelledJobsVanish: false,
    tellsPlaces: false,
    submissionIds: 'keys',
  },
  // A service without streams is a regular one; with a stream, the event of the end comes before the poll.
  limits: { ...cloud.limits, pollsWithinMs: 5_000, maxMessageBytes: 32 * 1024 * 1024 },
  recognition: {
    server: 'a service of API v2',
    isSpokenBy: async (ask) => {
      const job = await ask(noJobEndpoint());
      return E.isLeft(job) && isEnvelope(job.left);
    },
    isRouteMissing: (error) =>
      (error.status === 404 || error.status === 405) && !isEnvelope(error) && error._tag !== 'NotSupported',
    routesAreOwn: true,
    hasAccount: false,
  },
};
