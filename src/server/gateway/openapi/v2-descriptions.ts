import { answers, type Operations, takes } from './operation.js';
import { uploadForm, v2AssetOfHash, v2Submission } from '../contract/requests.js';
import {
  fileAnswers,
  listQuery,
  rangeHeaders,
  streamAnswers,
  streamHeaders,
  streamQuery,
  submissionAnswerHeaders,
  submissionHeaders,
} from './parameters.js';
import { v2Asset, v2Job, v2Jobs, v2Workflow } from '../contract/v2.js';
import { v2Event } from '../contract/events.js';

const tag = 'API v2';
const multipart = 'multipart/form-data';

/** The operations of API v2. */
export const v2Descriptions: Operations = {
  'POST /api/v2/jobs': {
    ...{ id: 'v2SubmitJob', tag, summary: 'Submit a workflow' },
    headers: submissionHeaders,
    body: takes(v2Submission),
    answers: { 201: answers('The job.', v2Job, submissionAnswerHeaders) },
    refusals: [400, 402, 413, 422],
  },
  'GET /api/v2/jobs': {
    ...{ id: 'v2ListJobs', tag, summary: 'List your jobs, the newest first' },
    query: listQuery,
    answers: { 200: answers('A page of jobs.', v2Jobs) },
    refusals: [400],
  },
  'GET /api/v2/jobs/:id': {
    ...{ id: 'v2GetJob', tag, summary: 'Show a job' },
    answers: { 200: answers('The job.', v2Job) },
    refusals: [404],
  },
  'GET /api/v2/jobs/:id/workflow': {
    ...{ id: 'v2GetWorkflow', tag, summary: 'Show the workflow of a job' },
    answers: { 200: answers('The workflow, as it was submitted.', v2Workflow) },
    refusals: [404],
  },
  'GET /api/v2/jobs/:id/logs': {
    ...{ id: 'v2GetLogs', tag, summary: 'Show the log of a job' },
    answers: { 204: { description: 'No log is kept of a single job.' } },
    refusals: [404],
  },
  'POST /api/v2/jobs/:id/cancel': {
    ...{ id: 'v2CancelJob', tag, summary: 'Ask for the end of a job' },
    answers: { 200: answers('The job as it is now.', v2Job) },
    refusals: [404],
  },
  'GET /api/v2/jobs/:id/events': {
    ...{ id: 'v2StreamJob', tag, summary: 'Follow a job by its events' },
    query: streamQuery,
    headers: streamHeaders,
    answers: streamAnswers(v2Event),
    refusals: [400, 404, 501],
  },
  'POST /api/v2/assets': {
    ...{ id: 'v2UploadAsset', tag, summary: 'Upload a file' },
    body: { content: { [multipart]: uploadForm }, required: true },
    answers: { 200: answers('These bytes were here before.', v2Asset), 201: answers('The asset.', v2Asset) },
    refusals: [409, 413, 422],
  },
  'POST /api/v2/assets/from-hash': {
    ...{ id: 'v2AssetOfHash', tag, summary: 'Make an asset of bytes that you uploaded before' },
    body: takes(v2AssetOfHash),
    answers: { 200: answers('There was one already.', v2Asset), 201: answers('The asset.', v2Asset) },
    refusals: [404, 422],
  },
  'HEAD /api/v2/assets/by-hash/:hash': {
    ...{ id: 'v2HasHash', tag, summary: 'Ask whether you uploaded these bytes before' },
    answers: { 200: { description: 'They are here.' } },
    refusals: [404],
  },
  'GET /api/v2/assets/:id': {
    ...{ id: 'v2GetAsset', tag, summary: 'Show an asset' },
    answers: { 200: answers('The asset.', v2Asset) },
    refusals: [404],
  },
  'DELETE /api/v2/assets/:id': {
    ...{ id: 'v2DeleteAsset', tag, summary: 'Forget an upload' },
    answers: { 204: { description: 'It is forgotten.' } },
    refusals: [404, 409],
  },
  'GET /api/v2/assets/:id/content': {
    ...{ id: 'v2GetContent', tag, summary: 'Read the bytes of an asset' },
    headers: rangeHeaders,
    answers: fileAnswers,
    refusals: [404, 416],
  },
};
