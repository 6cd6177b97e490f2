import { answers, type Operations } from '../openapi/operation.js';
import { callDescriptions } from '../calls/call-operations.js';
import { definitionDescriptions } from './definition-operations.js';
import { deleteDescriptions } from './delete-operations.js';
import { healthDescriptions } from './health.js';
import { jobDescriptions } from './native-operations.js';
import { preflightDescriptions } from './preflight-operation.js';
import { serverDescriptions } from './server-operations.js';
import { templateDescriptions } from './saved-template-operations.js';
import { v2Descriptions } from '../openapi/v2-descriptions.js';
import { watchTokenDescriptions } from './issue-watch-token.js';
import { webhookDescriptions } from './webhook-operations.js';
import * as t from 'io-ts';

/** What OpenAPI tells of each operation. It stands beside what answers; that of API v2, which changes with the service alone, has a file of its own. */
export const descriptions: Operations = {
  ...v2Descriptions,
  ...jobDescriptions,
  ...deleteDescriptions,
  ...callDescriptions,
  ...templateDescriptions,
  ...definitionDescriptions,
  ...preflightDescriptions,
  ...serverDescriptions,
  ...webhookDescriptions,
  ...watchTokenDescriptions,
  ...healthDescriptions,
  'GET /openapi.json': {
    ...{ id: 'getOpenApi', tag: 'Health', summary: 'Read this description' },
    answers: { 200: answers('The description, OpenAPI 3.1.', t.UnknownRecord) },
  },
};
