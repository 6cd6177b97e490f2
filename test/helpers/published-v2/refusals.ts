import { envelope } from './documents.js';
import type { Answer } from './story.js';

/** An answer to a submission that makes no job. */
export interface RefusedSubmission {
  readonly title: string;
  readonly answer: Answer;
  /** The word for it that a client may show. */
  readonly code?: string;
  /** The nodes that are to blame. */
  readonly nodes?: readonly string[];
  /** Whether the submission may have become a job all the same. */
  readonly isUncertain?: true;
}

/** Refusals of a submission, in each spelling that servers are known to use. */
export const refusedSubmissions: readonly RefusedSubmission[] = [
  {
    title: 'node errors as published',
    answer: {
      status: 422,
      body: envelope('invalid_workflow', 'validation failed', {
        node_errors: { '12': [{ field: 'seed', reason: 'must be at least 0' }] },
      }),
    },
    code: 'invalid_workflow',
    nodes: ['12'],
  },
  {
    title: "node errors in the engine's own words, as the proxy passes them on",
    answer: {
      status: 422,
      body: envelope('invalid_workflow', 'validation failed', {
        node_errors: {
          '12': {
            errors: [
              {
                type: 'value_smaller_than_min',
                message: 'Value -1 smaller than min of 0',
                details: 'seed',
                extra_info: { input_name: 'seed' },
              },
            ],
            dependent_outputs: ['9'],
            class_type: 'KSampler',
          },
        },
      }),
    },
    code: 'invalid_workflow',
    nodes: ['12'],
  },
  {
    title: 'no details at all',
    answer: { status: 422, body: envelope('invalid_workflow') },
    code: 'invalid_workflow',
  },
  {
    title: 'the format of the editor',
    answer: { status: 422, body: envelope('workflow_format_ui') },
    code: 'workflow_format_ui',
  },
  {
    title: 'a missing asset',
    answer: { status: 422, body: envelope('missing_asset', 'gone', { missing_ids: ['asset-1'] }) },
    code: 'missing_asset',
  },
  {
    title: 'a stopped deployment',
    answer: { status: 422, body: envelope('deployment_stopped') },
    code: 'deployment_stopped',
  },
  {
    title: 'no credits',
    answer: { status: 402, body: envelope('insufficient_credits', 'top up', null) },
    code: 'insufficient_credits',
  },
  { title: 'a bad key', answer: { status: 401, body: envelope('unauthorized') }, code: 'unauthorized' },
  {
    title: 'single sign-on, with the organization beside the code',
    answer: {
      status: 403,
      body: { error: { code: 'sso_required', message: 'sign in', organization_id: 'org-1' } },
    },
    code: 'sso_required',
  },
  {
    title: 'a full queue without Retry-After',
    answer: { status: 429, body: envelope('queue_full') },
    code: 'queue_full',
  },
  {
    title: 'a page of a gateway',
    answer: { status: 503, body: '<html>maintenance</html>' },
    isUncertain: true,
  },
  {
    title: 'a failure inside',
    answer: { status: 500, body: envelope('upstream_error') },
    code: 'upstream_error',
    isUncertain: true,
  },
  {
    title: 'a 413 without an envelope',
    answer: { status: 413, body: '<html>413 Request Entity Too Large</html>' },
  },
];
