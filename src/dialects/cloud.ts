import { createRest } from '../http/rest.js';
import type { DialectStrategy } from './dialect.js';
import * as E from '../protocol/either.js';
import { frameSource } from '../socket/frame-source.js';
import { historyEndpoint } from '../endpoints/history.js';
import { isEmptyRecord } from './dialect-check.js';
import { isTerminal } from '../state/job-state.js';
import { jobStatusEndpoint } from '../endpoints/job-status.js';
import { request } from '../http/request.js';
import type { ServiceError } from '../errors/errors.js';
import { serviceError } from '../errors/service-error.js';
import { userEndpoint } from '../endpoints/user.js';

/** A service of the interface: a key, a status route, a history that may trail, and files that a redirect leads to. */
export const cloud: DialectStrategy = {
  name: 'cloud',
  usesKey: true,
  keyCheck: userEndpoint,
  http: {
    authHeaders: (key) => ({ 'x-api-key': key }),
    submitFields: () => ({}),
    jobStatus: (connection) => (promptId, options) =>
      request(connection)(jobStatusEndpoint(promptId), options),
    history: (promptId) => historyEndpoint(promptId, 'history_v2'),
    servesFiles: false,
    explainRefusal: ({ path, idempotency }, status) =>
      status === 404 && (path === '/api/user' || idempotency === 'submission')
        ? {
            hint: "There is no such route at this address: check baseUrl, and for a local server set dialect: 'local'.",
          }
        : undefined,
  },
  rest: createRest,
  events: (platform, { urls, key, ...options }) =>
    frameSource(platform, { ...options, url: (clientId) => urls.socket(clientId, key()) }),
  // Where the answer leaves the id out, the job may have ended already: else the deletion did not reach it.
  cancel: (rest, promptId, options) => async () => {
    const deleted = await rest.cancel([promptId], options)();
    if (E.isLeft(deleted)) return deleted;
    const { deleted: ids } = deleted.right;
    if (ids === undefined || ids.includes(promptId)) return E.right(undefined);
    const status = await rest.jobStatus(promptId, options)();
    if (E.isLeft(status)) return status;
    const { phase } = status.right;
    return isTerminal(phase)
      ? E.right(undefined)
      : E.left(serviceError('CancelNotApplied', { promptId, phase }));
  },
  jobs: {
    eventsFollowClientId: false,
    statusIncludesHistory: false,
    recordsAppearWhole: false,
    knownOnceSubmitted: false,
    cancelledJobsVanish: false,
  },
  limits: {
    notFoundAfterMs: 30_000,
    servesOthersMs: 120_000,
    requestBudget: { perSecond: 5, burst: 10 },
  },
  mismatch: {
    other: 'local',
    otherServer: 'a local server',
    isRouteMissing: (error) => isRouteMissing(error),
    detect: async (ask) => {
      const user = await ask(userEndpoint());
      if (E.isRight(user) || !isRouteMissing(user.left)) return false;
      const record = await ask(historyEndpoint('none', 'history'));
      return E.isLeft(record) && isEmptyRecord(record.left);
    },
    hasAccount: true,
  },
};

/** A service that has the route answers 404 in JSON where it does not know the job. */
const isRouteMissing = ({ _tag, sample }: ServiceError): boolean =>
  _tag === 'NotFound' && sample?.startsWith('{') !== true;
