import { expect, it } from 'vitest';
import { parted } from '../../src/server/joblog/parted-template.js';

const head = {
  ...{ owner: 'ann', name: 'portrait', inputs: {}, jsonSchema: {}, createdAt: 1, updatedAt: 2, title: 'P' },
};
const workflow = { 1: { class_type: 'A', inputs: {} } };

it('the workflow of a template is kept apart from what a list shows, with the graph that it was made of', () => {
  expect(parted({ ...head, workflow, ui: { nodes: [] } })).toEqual({
    ...{ head, body: { workflow, ui: { nodes: [] } } },
  });
  expect(parted({ ...head, workflow })).toStrictEqual({ head, body: { workflow } });
});
