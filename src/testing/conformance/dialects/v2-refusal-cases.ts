import assert from 'node:assert/strict';
import { emptyImage } from './empty-image.js';
import type { Answer } from '../answer.js';
import type { ConformanceCase } from '../conformance-case.js';
import { errorOf, expectError, unknownId, v2 } from './v2-api.js';
import { object } from '../shape.js';
import type { Target } from '../target.js';

/** Sections 12.1 to 12.4: what a server refuses, of which no job comes. */
export const v2RefusalCases: readonly ConformanceCase[] = [
  {
    id: 'V.1.1',
    title: 'the interface lies under /api/v2 of the base',
    run: async (target) => {
      errorOf(await v2(target, 'GET', `/jobs/${unknownId}`));
    },
  },
  {
    id: 'V.3.4',
    title: 'a workflow that fails validation: 422 invalid_workflow with the errors of nodes',
    run: async (target) => {
      const answer = await submit(target, { workflow: invalid });
      expectError(answer, 422, 'invalid_workflow');
      const details = object(errorOf(answer)['details'], 'details');
      assert.deepEqual(Object.keys(object(details['node_errors'], 'node_errors')), ['save']);
    },
  },
  {
    id: 'V.3.5',
    title: "the editor's format: 422 workflow_format_ui",
    run: async (target) => {
      const workflow = { nodes: [], links: [], last_node_id: 0, last_link_id: 0, version: 0.4 };
      expectError(await submit(target, { workflow }), 422, 'workflow_format_ui');
    },
  },
  {
    id: 'V.3.6',
    title: 'reserved members: 422',
    run: async (target) => {
      for (const more of [{ webhook_url: 'https://service.example' }, { inputs: {} }])
        assert.equal((await submit(target, { workflow: emptyImage(), ...more })).status, 422);
    },
  },
  {
    id: 'V.3.7',
    title: 'an unknown member of extra_data: 422',
    run: async (target) => {
      const body = { workflow: emptyImage(), extra_data: { no_such_member: true } };
      assert.equal((await submit(target, body)).status, 422);
    },
  },
  {
    id: 'V.3.9',
    title: 'a reference to no asset: 422 missing_asset',
    run: async (target) => {
      for (const info of [{ id: unknownId }, {}])
        expectError(await submit(target, { workflow: loading(info) }), 422, 'missing_asset');
    },
  },
  {
    id: 'V.4.3',
    title: 'an empty key: 400 invalid_request',
    run: async (target) => {
      const headers = { 'Idempotency-Key': '' };
      expectError(await submit(target, { workflow: emptyImage() }, headers), 400, 'invalid_request');
    },
  },
];

/** A saver without a picture. */
export const invalid = { save: { class_type: 'SaveImage', inputs: { filename_prefix: 'conformance' } } };

/** A workflow that loads and saves an asset. */
export const loading = (info: object): object => ({
  load: { class_type: 'LoadImage', inputs: { image: { __type: 'core/ASSET', info } } },
  save: { class_type: 'SaveImage', inputs: { images: ['load', 0], filename_prefix: 'conformance' } },
});

/** Submits a body, with a key where one is given. */
export const submit = (
  target: Target,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> => v2(target, 'POST', '/jobs', { body, headers });
