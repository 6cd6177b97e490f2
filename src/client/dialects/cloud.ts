import { cancelManyByJobsApi, listByJobsApi } from './jobs-by-api.js';
import { findCloudSubmission } from './cloud-submission.js';
import { createRest } from '../../core/http/rest.js';
import { deletingInCloud } from './deletion.js';
import type { DialectStrategy } from './dialect.js';
import * as E from '../../core/protocol/either.js';
import { frameSource } from '../../core/socket/frame-source.js';
import { historyEndpoint } from '../../core/endpoints/history.js';
import { isEnvelope } from './envelope.js';
import { isTerminal } from '../../core/state/job-state.js';
import { jobStatusEndpoint } from '../../core/endpoints/job-status.js';
import { submitEndpoint } from '../../core/endpoints/submit.js';
import { request } from '../../core/http/request.js';
import type { ServiceError } from '../../core/errors/errors.js';
import { serviceError } from '../../core/errors/service-error.js';
import { userEndpoint } from '../../core/endpoints/user.js';

/** A service of the interface: a key, a status route, a history that may trail, and files that a redirect leads to. */
export const cloud: DialectStrategy = {
  name: 'cloud',
  usesKey: true,
  keyCheck: (connection, options) => request(connection)(userEndpoint(), options),
  http: {
    keyHeaders: ['x-api-key'],
    authHeaders: (key) => ({ 'x-api-key': key }),
    submission: (_, workflow, fields) => submitEndpoint(workflow, fields),
    takes: ['front', 'number', 'targets', 'workflowId'],
    jobsApi: 'met',
    partnerKeyField: 'api_key_partner_org',
    jobStatus: (connection) => (promptId, options) =>
      request(connection)(jobStatusEndpoint(promptId), options),
    history: (connection) => (promptId, options) =>
      request(connection)(historyEndpoint(promptId, 'history_v2', options), options),
    historyRoutes: ['history_v2'],
    servesFiles: false,
    explainRefusal: ({ path, idempotency }, status) =>
      status === 404 && (path === '/api/user' || idempotency === 'submission')
        ? {
            hint: "There is no such route at this address: check baseUrl, and for a local server set dialect: 'local'.",
          }
        : undefined,
    untyped429: 'SubscriptionInactive',
    refusesBy503: true,
  },
  rest: createRest,
  events: (platform, { urls, key, recorded, ...options }) =>
    frameSource(recorded(platform), { ...options, url: (clientId) => urls.socket(clientId, key()) }),
  // Where the answer leaves the id out, the job may have ended already: else the deletion did not reach it.
  cancel: (rest, promptId, options) => async () => {
    const asked = await rest.cancelJob(promptId, options)();
    if (E.isLeft(asked)) return asked;
    if (asked.right !== 'no route') return E.right(asked.right === 'taken' ? 'found' : 'asked');
    const deleted = await rest.cancel([promptId], options)();
    if (E.isLeft(deleted)) return deleted;
    const { deleted: ids } = deleted.right;
    if (ids === undefined || ids.includes(promptId)) return E.right('asked');
    const status = await rest.jobStatus(promptId, options)();
    if (E.isLeft(status)) return status;
    const { phase } = status.right;
    return isTerminal(phase)
      ? E.right('asked')
      : E.left(serviceError('CancelNotApplied', { promptId, phase }));
  },
  listJobs: (connection) =>
    listByJobsApi(connection, ({ page }) => ({ ...(page !== undefined && { after: page }) })),
  findSubmission: findCloudSubmission,
  cancelMany: cancelManyByJobsApi,
  deleting: deletingInCloud,
  jobs: {
    eventsFollowClientId: false,
    polledThroughout: false,
    statusIncludesHistory: false,
    recordsAppearWhole: false,
    marksRecords: false,
    recordsHoldMessages: false,
    recordsCanBeDeleted: true,
    knownOnceSubmitted: false,
    announcesQueue: false,
    cancelledJobsVanish: false,
    tellsPlaces: true,
    submissionIds: 'none',
  },
  limits: {
    notFoundAfterMs: 30_000,
    servesOthersMs: 120_000,
    pollsWithinMs: 30_000,
    requestBudget: { perSecond: 5, burst: 10 },
    maxMessageBytes: 16 * 1024 * 1024,
  },
  recognition: {
    server: 'a cloud service',
    // It has the account route.
    isSpokenBy: async (ask) => {
      const user = await ask(userEndpoint());
      if (E.isRight(user)) return true;
      return isRouteMissing(user.left) ? false : undefined;
    },
    isRouteMissing: (error) => isRouteMissing(error),
    routesAreOwn: false,
    hasAccount: true,
  },
};

/** A service that has the route answers 404 in JSON where it does not know the job; the envelope of API v2 is not that answer. */
const isRouteMissing = (error: ServiceError): boolean =>
  isEnvelope(error) || (error._tag === 'NotFound' && error.sample?.startsWith('{') !== true);
