import { answers, type Operations, takes } from './operation.js';
import { nodeClasses, preflightReport, preflightRequest } from '../contract/workflows.js';
import * as t from 'io-ts';

/** The operations on workflows before they are submitted. */
export const workflowOperations: Operations = {
  'GET /definitions': {
    ...{ id: 'getDefinitions', tag: 'Workflows', summary: 'Read the node classes of the service' },
    query: {
      class: { codec: t.array(t.string), description: 'Of these classes only; default all of them.' },
    },
    headers: { 'If-None-Match': { codec: t.string, description: 'The ETag of what you have.' } },
    answers: {
      200: answers('The classes by name.', nodeClasses, { ETag: 'Names these bytes.' }),
      304: { description: 'You have these bytes.' },
    },
    refusals: [501, 503],
  },
  'POST /preflight': {
    ...{ id: 'preflight', tag: 'Workflows', summary: 'Check a workflow before it is submitted' },
    body: takes(preflightRequest),
    answers: { 200: answers('What the service would do with it, and what it takes.', preflightReport) },
    refusals: [400, 413, 422, 501, 503],
  },
};
