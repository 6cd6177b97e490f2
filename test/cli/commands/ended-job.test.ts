import { expect, it } from 'vitest';
import { nodeTitles, workflowOfRecord } from '../../../src/cli/commands/ended-job.js';

const workflow = {
  1: { class_type: 'A', inputs: {}, _meta: { title: 'Load' } },
  2: { class_type: 'B', inputs: {} },
};

it('a node is called by its title, else by its class', () => {
  expect([...nodeTitles(workflow)]).toEqual([
    ['1', 'Load'],
    ['2', 'B'],
  ]);
  expect(nodeTitles().size).toBe(0);
});

it.each<readonly [string, unknown, boolean]>([
  ['a list', [1, 'id', workflow], true],
  ['an object', { prompt: workflow }, true],
  ['another list', [workflow, workflow, 5], false],
  ['another object', { workflow }, false],
  ['nothing', null, false],
  ['a text', 'x', false],
])('the workflow of a record stands in %s', (_, prompt, isThere) => {
  expect(workflowOfRecord({ record: { prompt } })).toEqual(isThere ? workflow : undefined);
});
