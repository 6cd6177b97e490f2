import { answers, jsonOf, type Operations, takes } from './operation.js';
import {
  bytes,
  jobSubmission,
  submissionForm,
  templateSubmission,
  uploadForm,
  watchToken,
  watchTokenRequest,
  webhookRegistration,
} from '../contract/requests.js';
import {
  cancelledJob,
  deletedJob,
  deletedJobs,
  health,
  nativeJob,
  nativeJobs,
  readiness,
  uploadedFile,
  webhook,
} from '../contract/native.js';
import {
  callAnswers,
  callHeaders,
  callQuery,
  fileAnswers,
  listQuery,
  rangeHeaders,
  streamAnswers,
  streamHeaders,
  streamQuery,
} from './parameters.js';
import { nativeEvent } from '../contract/events.js';
import * as t from 'io-ts';

const form = { 'multipart/form-data': submissionForm };

/** The operations beyond API v2. */
export const nativeOperations: Operations = {
  'GET /jobs': {
    ...{ id: 'listJobs', tag: 'Jobs', summary: 'List your jobs, the newest first' },
    query: listQuery,
    answers: { 200: answers('A page of jobs.', nativeJobs) },
    refusals: [400],
  },
  'POST /jobs': {
    ...{
      id: 'submitJob',
      tag: 'Jobs',
      summary: 'Submit a workflow with values for its inputs, and wait for it',
    },
    query: callQuery,
    headers: callHeaders,
    body: { content: { ...jsonOf(jobSubmission), ...form }, required: true },
    answers: callAnswers,
    refusals: [400, 402, 406, 413, 422],
  },
  'GET /jobs/:id': {
    ...{ id: 'getJob', tag: 'Jobs', summary: 'Show a job' },
    answers: { 200: answers('The job.', nativeJob) },
    refusals: [404],
  },
  'POST /jobs/:id/cancel': {
    ...{ id: 'cancelJob', tag: 'Jobs', summary: 'Ask for the end of a job' },
    answers: { 200: answers('The job; `requested` is false where it was over before.', cancelledJob) },
    refusals: [404],
  },
  'DELETE /jobs/:id': {
    ...{ id: 'deleteJob', tag: 'Jobs', summary: 'Delete a job that has ended' },
    answers: { 200: answers('It is gone; the service keeps or deletes its files.', deletedJob) },
    refusals: [404, 409, 503],
  },
  'DELETE /jobs': {
    ...{ id: 'deleteJobs', tag: 'Jobs', summary: 'Delete several jobs that have ended' },
    query: { id: { codec: t.array(t.string), description: 'The jobs, 100 at most.' } },
    answers: { 200: answers('What became of each.', deletedJobs) },
    refusals: [400],
  },
  'GET /jobs/:id/events': {
    ...{ id: 'streamJob', tag: 'Events', summary: 'Follow a job by its events' },
    query: streamQuery,
    headers: streamHeaders,
    answers: streamAnswers(nativeEvent),
    refusals: [400, 404, 501],
  },
  'GET /events': {
    ...{ id: 'streamJobs', tag: 'Events', summary: 'Follow all of your jobs by one stream' },
    query: streamQuery,
    headers: streamHeaders,
    answers: streamAnswers(nativeEvent),
    refusals: [400, 501],
  },
  'GET /jobs/:id/outputs/:output': {
    ...{ id: 'getOutput', tag: 'Files', summary: 'Read the bytes of an output' },
    headers: rangeHeaders,
    answers: fileAnswers,
    refusals: [404, 416],
  },
  'GET /jobs/:id/previews/:node': {
    ...{ id: 'getPreview', tag: 'Files', summary: 'Read the newest preview of a node' },
    query: { v: { codec: t.string, description: 'Which preview it was, for caches.' } },
    answers: { 200: { description: 'The picture.', content: { 'image/*': bytes } } },
    refusals: [404],
  },
  'POST /uploads': {
    ...{ id: 'uploadFile', tag: 'Files', summary: 'Upload a file, as a form or as it is' },
    query: {
      filename: { codec: t.string, description: 'The name of a file that is sent as it is.' },
      expected_hash: { codec: t.string, description: 'Of a file that is sent as it is, `blake3:…`.' },
      mask_of: {
        codec: t.string,
        description: 'Of a mask that is sent as it is: the id of the asset or output whose picture gets it.',
      },
      expires_in: { codec: t.string, description: 'Seconds, of a file that is sent as it is.' },
    },
    body: { content: { 'multipart/form-data': uploadForm, '*/*': bytes }, required: true },
    answers: {
      200: answers('These bytes were here before.', uploadedFile),
      201: answers('What inputs of workflows and templates take.', uploadedFile),
    },
    refusals: [404, 409, 413, 422, 501],
  },
  'POST /templates/:name': {
    ...{ id: 'submitTemplate', tag: 'Templates', summary: 'Submit a job of a template, and wait for it' },
    query: callQuery,
    headers: callHeaders,
    body: { content: { ...jsonOf(templateSubmission), ...form }, required: false },
    answers: callAnswers,
    refusals: [400, 402, 404, 406, 413, 422],
  },
  'GET /webhooks': {
    ...{ id: 'getWebhook', tag: 'Webhooks', summary: 'Show your webhook' },
    answers: { 200: answers('The webhook.', webhook) },
    refusals: [404, 501],
  },
  'PUT /webhooks': {
    ...{ id: 'putWebhook', tag: 'Webhooks', summary: 'Set your webhook' },
    body: takes(webhookRegistration),
    answers: { 200: answers('It was there before.', webhook), 201: answers('The webhook.', webhook) },
    refusals: [422, 501],
  },
  'DELETE /webhooks': {
    ...{ id: 'deleteWebhook', tag: 'Webhooks', summary: 'Remove your webhook' },
    answers: { 204: { description: 'It is gone.' } },
    refusals: [404, 501],
  },
  'POST /watch-tokens': {
    ...{ id: 'issueWatchToken', tag: 'Tickets', summary: 'Get a ticket for `EventSource` and `<img>`' },
    body: takes(watchTokenRequest, false),
    answers: { 201: answers('The ticket, for the parameter `ticket`.', watchToken) },
    refusals: [404, 422],
  },
  'GET /healthz': {
    ...{ id: 'getHealth', tag: 'Health', summary: 'Ask whether the process serves' },
    answers: { 200: answers('It does.', health) },
  },
  'GET /readyz': {
    ...{
      id: 'getReadiness',
      tag: 'Health',
      summary: 'Ask whether its service answers and its store takes changes',
    },
    answers: { 200: answers('Both do.', readiness) },
    refusals: [503],
  },
  'GET /openapi.json': {
    ...{ id: 'getOpenApi', tag: 'Health', summary: 'Read this description' },
    answers: { 200: answers('The description, OpenAPI 3.1.', t.UnknownRecord) },
  },
};
