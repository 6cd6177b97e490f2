import { cancelLocalJob } from './cancel-local-job.js';
import { cancelManyByJobsApi, listByJobsApi } from './jobs-by-api.js';
import { laterEngine } from '../../core/http/later-engine.js';
import { createRest } from '../../core/http/rest.js';
import { deletingLocally } from './deletion.js';
import type { DialectStrategy } from './dialect.js';
import * as E from '../../core/protocol/either.js';
import { findLocalSubmission } from './local-submission.js';
import { frameSource } from '../../core/socket/frame-source.js';
import { historyEndpoint, isEmptyRecord } from '../../core/endpoints/history.js';
import type { HttpDialect } from '../../core/http/connection.js';
import { isEnvelope } from './envelope.js';
import { localJobStatus, localQueuedJobs } from './local-job-status.js';
import { queueEndpoint } from '../../core/endpoints/queue.js';
import { request } from '../../core/http/request.js';
import type { ServiceError } from '../../core/errors/errors.js';
import { uploadLocalMask } from './local-mask.js';
import { submitEndpoint } from '../../core/endpoints/submit.js';

/** What a refusal of a local server means; its status alone would mean something else. */
const explainRefusal: HttpDialect['explainRefusal'] = (
  { method, path, idempotency },
  status,
  _,
  sendsOrigin,
) => {
  if (status === 404 && method === 'HEAD') {
    return { hint: 'Give the type of the original: it defaults to output, and an uploaded file is input.' };
  }
  if (status === 404 && path === '/api/user') {
    return { hint: 'A local server has no accounts, and so no such route.' };
  }
  if (status === 404 && idempotency === 'submission') {
    return {
      hint: 'There is no such route at this address: check baseUrl.',
    };
  }
  if (status === 401) {
    return {
      hint: "With dialect: 'local' no key is sent. A proxy in front of the server may be asking: its credentials go into headers, such as Authorization. For a cloud service set dialect: 'cloud', for one of API v2 'v2'.",
    };
  }
  if (status === 402) {
    return {
      hint: 'A local server asks for no payment. A proxy in front of it, or the host that lets it, does: look there for its terms; credentials go into headers.',
    };
  }
  // Files have a 403 of their own, for folders that may not be read.
  if (status !== 403 || path === '/api/view') return undefined;
  return {
    hint: sendsOrigin
      ? 'A local server refuses requests whose Origin and Host differ, such as those of a page of another origin: reach it by a proxy that sends one Origin and Host (docs/guide/browser.md), or start it with --enable-cors-header.'
      : 'Ask for what the server, or a proxy in front of it, wants: credentials go into headers.',
  };
};

/** One engine without keys: it runs one job at a time, and has a queue and a history but no status route. */
export const local: DialectStrategy = {
  name: 'local',
  usesKey: false,
  keyCheck: (connection, options) => request(connection)(queueEndpoint({ workflow: false }), options),
  http: {
    keyHeaders: [],
    authHeaders: () => ({}),
    submission: ({ clientId, platform }, workflow, { submissionId = platform.uuid(), ...fields }) =>
      submitEndpoint(workflow, { ...fields, clientId: clientId?.(), promptId: submissionId }),
    takes: ['front', 'number', 'targets', 'previewMethod'],
    jobsApi: 'probed',
    partnerKeyField: 'api_key_partner_org',
    jobStatus: localJobStatus,
    history: (connection) => (promptId, options) =>
      request(connection)(historyEndpoint(promptId, 'history', options), options),
    historyRoutes: ['history'],
    servesFiles: true,
    explainRefusal,
    // The server has no plans: a proxy in front of it asks for fewer requests.
    untyped429: 'RateLimited',
    untyped402: 'Forbidden',
    refusesBy503: true,
  },
  rest: (connection) => {
    const rest = createRest(connection);
    return { ...rest, ...laterEngine(connection), uploadMask: uploadLocalMask(connection, rest) };
  },
  // Without `onHello`: each socket of a local server begins with a greeting, so here it is no hint of another dialect.
  events: (
    platform,
    { urls, recorded, lingerMs, headers, redact, redactValue, refusal, maxMessageBytes, earlyBytes },
  ) =>
    frameSource(recorded(platform), {
      lingerMs,
      headers,
      redact,
      redactValue,
      maxMessageBytes,
      earlyBytes,
      url: (clientId) => urls.socket(clientId),
      oneJobAtOnce: true,
      keepsClientId: true,
      hasAccount: false,
      // A local server has no keys: where the platform hides the status of a failed handshake, the server is down.
      refusal: (isHidden) => (isHidden ? Promise.resolve(undefined) : refusal(isHidden)),
    }),
  cancel: cancelLocalJob,
  listJobs: (connection) =>
    listByJobsApi(connection, ({ page }) => ({
      sort_by: 'created_at',
      sort_order: 'desc',
      ...(page !== undefined && { offset: page }),
    })),
  cancelMany: cancelManyByJobsApi,
  deleting: deletingLocally,
  findSubmission: findLocalSubmission,
  queuedJobs: localQueuedJobs,
  jobs: {
    eventsFollowClientId: true,
    polledThroughout: false,
    statusIncludesHistory: true,
    recordsAppearWhole: true,
    marksRecords: true,
    recordsHoldMessages: true,
    recordsCanBeDeleted: true,
    knownOnceSubmitted: true,
    announcesQueue: true,
    cancelledJobsVanish: true,
    tellsPlaces: false,
    submissionIds: 'unproven',
  },
  limits: {
    notFoundAfterMs: 4_000,
    // A server that answers at all has answered with its whole queue and history.
    servesOthersMs: 0,
    // The events of a job go to the program that submitted it, so nothing but a poll tells another one of its end.
    pollsWithinMs: 5_000,
    // Each job that ends takes one: of jobs that run 10 ms, one after the other, none waits.
    requestBudget: { perSecond: 100, burst: 100 },
    // An engine sends finished pictures of any size by its socket.
    maxMessageBytes: 256 * 1024 * 1024,
  },
  recognition: {
    server: 'a local server',
    isSpokenBy: async (ask) => {
      const record = await ask(historyEndpoint('none', 'history'));
      return E.isLeft(record) && isEmptyRecord(record.left);
    },
    isRouteMissing: (error) =>
      isEnvelope(error) || (error._tag === 'NotFound' && !isEmptyRecord(error) && !isJobMissing(error)),
    routesAreOwn: false,
    hasAccount: false,
  },
};

/** Whether this is the answer with which the jobs API of a local server says that it does not know the job. */
const isJobMissing = ({ sample }: ServiceError): boolean => /^\s*\{\s*"error"\s*:\s*"/u.test(sample ?? '');
