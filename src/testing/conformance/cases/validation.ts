import assert from 'node:assert/strict';
import { api, expectStatus } from '../api.js';
import type { ConformanceCase } from '../conformance-case.js';
import { recordOf, runToEnd, waitForEnd } from '../jobs.js';
import { eventsOf } from '../live-socket.js';
import { record } from '../recordings.js';
import { refusalOf } from '../refusals.js';
import type { Workflow } from '../sample-workflows.js';
import { filledText, object } from '../shape.js';
import type { Target } from '../target.js';

/** Chapter 9: workflows and validation. */
export const validationCases: readonly ConformanceCase[] = [
  {
    id: '9.1',
    title: 'other members and unknown inputs are ignored, any text is a node id',
    run: async (target) => {
      const { save, ...others } = target.workflows.picture();
      assert.ok(save !== undefined);
      const decorated = {
        ...save,
        _meta: { title: 'Mine' },
        colour: 'red',
        inputs: { ...save.inputs, mood: 'calm' },
      };
      const prompt = Object.fromEntries([...Object.entries(others), ['Bild Nr. 1: "ü"', decorated]]);
      const { promptId, state } = await runToEnd(target, prompt);
      assert.equal(state, 'completed');
      const outputs = object((await recordOf(target, promptId))['outputs'], 'outputs');
      assert.deepEqual(Object.keys(outputs), ['Bild Nr. 1: "ü"']);
    },
  },
  {
    id: '9.2',
    title: 'a link takes the value of that output',
    run: async (target) => {
      const workflow = target.workflows.picture();
      const { messages, promptId } = await record(target, workflow);
      const order = eventsOf(messages, 'executing', promptId).map(({ data }) => String(data['node']));
      assert.ok(order.includes('sampler') && order.includes('save'), 'the graph runs');
      for (const [id, { inputs }] of Object.entries(workflow).filter(([node]) => order.includes(node))) {
        for (const value of Object.values(inputs)) {
          if (!Array.isArray(value)) continue;
          // A source that is known from an earlier run does not run again: its index is -1.
          assert.ok(
            order.indexOf(String(value[0])) < order.indexOf(id),
            `${String(value[0])} runs before ${id}`,
          );
        }
      }
      const wrongSlot = withInput(workflow, 'decode', 'vae', ['model', 0]);
      assert.equal(
        (await refusalOf(target, wrongSlot)).nodeErrors['decode']?.types[0],
        'return_type_mismatch',
      );
    },
  },
  {
    id: '9.3',
    title: 'a node that no output needs does not run',
    run: async (target) => {
      const spare = { class_type: 'EmptyLatentImage', inputs: { width: 96, height: 64, batch_size: 1 } };
      const { messages, promptId } = await record(target, { ...target.workflows.picture(), spare });
      const ran = eventsOf(messages, 'executing', promptId).map(({ data }) => data['node']);
      assert.ok(ran.includes('save') && !ran.includes('spare'), 'only what is needed runs');
    },
  },
  {
    id: '9.4',
    rows: ['status:400'],
    title: "the editor's format is answered 400",
    run: async (target) => {
      const prompt = {
        last_node_id: 1,
        last_link_id: 0,
        nodes: [{ id: 1, type: 'SaveImage' }],
        links: [],
        version: 0.4,
      };
      await expectStatus(400, target, 'POST', '/api/prompt', { body: { prompt } });
    },
  },
  {
    id: '9.5',
    rows: ['status:400'],
    title: 'a prompt that is no object is answered 400',
    run: async (target) => {
      for (const prompt of ['text', 7, null, [1]]) {
        await expectStatus(400, target, 'POST', '/api/prompt', { body: { prompt } });
      }
    },
  },
  {
    id: '9.6',
    title: 'prompt_no_outputs',
    run: async (target) => {
      const { save, ...headless } = target.workflows.picture();
      assert.ok(save !== undefined);
      assert.deepEqual(await refusalOf(target, headless), { type: 'prompt_no_outputs', nodeErrors: {} });
    },
  },
  {
    id: '9.7',
    title: 'an unknown class_type is refused',
    run: async (target) => {
      const workflow = { ...target.workflows.picture(), spare: { class_type: 'NoSuchClass', inputs: {} } };
      const { type } = await refusalOf(target, workflow);
      assert.equal(type, target.profile === 'interface' ? 'invalid_prompt' : 'missing_node_type');
    },
  },
  {
    id: '9.8',
    title: 'wrong inputs are told node by node',
    run: async (target) => {
      const workflow = withInput(target.workflows.picture(), 'sampler', 'steps', 0);
      const { type, nodeErrors } = await refusalOf(target, workflow);
      assert.equal(type, 'prompt_outputs_failed_validation');
      assert.deepEqual(Object.keys(nodeErrors), ['sampler'], 'only the node with the error is listed');
      const { sampler } = nodeErrors;
      assert.equal(sampler?.classType, 'KSampler');
      assert.deepEqual(sampler.dependentOutputs, ['save']);
    },
  },
  inputCase('9.9', 'required_input_missing', 'sampler', 'cfg', undefined),
  inputCase('9.10', 'bad_linked_input', 'sampler', 'model', ['model']),
  inputCase('9.11', 'return_type_mismatch', 'sampler', 'model', ['model', 1]),
  inputCase('9.12', 'invalid_input_type', 'sampler', 'steps', 'many'),
  inputCase('9.13.1', 'value_smaller_than_min', 'sampler', 'steps', 0),
  inputCase('9.13.2', 'value_bigger_than_max', 'sampler', 'steps', 1_000_000),
  inputCase('9.13.3', 'value_not_in_list', 'sampler', 'sampler_name', 'no such sampler'),
  {
    id: '9.13.4',
    title: 'custom_validation_failed',
    run: async (target) => {
      const { nodeErrors } = await refusalOf(target, target.workflows.load('no such picture.png'));
      const types = nodeErrors['load']?.types ?? [];
      assert.deepEqual(types, ['custom_validation_failed']);
    },
  },
  {
    id: '9.13.5',
    title: 'a link to a node that is not there',
    run: async (target) => {
      const inner = await refusalOf(
        target,
        withInput(target.workflows.picture(), 'decode', 'samples', ['gone', 0]),
      );
      const outer = await refusalOf(
        target,
        withInput(target.workflows.picture(), 'save', 'images', ['gone', 0]),
      );
      for (const { nodeErrors } of [inner, outer]) {
        const types = Object.values(nodeErrors).flatMap((node) => node.types);
        assert.ok(types.length > 0, 'a node is reported');
        for (const type of types) assert.match(type, /^exception_during_(inner_)?validation$/);
      }
    },
  },
  {
    id: '9.14',
    title: 'the good branches of a workflow run',
    run: async (target) => {
      const bad = { class_type: 'SaveImage', inputs: { images: ['decode', 0] } };
      const prompt = { ...target.workflows.picture(), bad };
      const answer = await expectStatus(200, target, 'POST', '/api/prompt', { body: { prompt } });
      const submission = object(answer.json(), 'the answer');
      const told = Object.keys(object(submission['node_errors'], 'node_errors'));
      assert.deepEqual(told, (await looksAtOnce(target)) ? ['bad'] : []);
      const promptId = filledText(submission['prompt_id'], 'prompt_id');
      assert.equal(await waitForEnd(target, promptId), 'completed');
      const outputs = object((await recordOf(target, promptId))['outputs'], 'outputs');
      assert.deepEqual(Object.keys(outputs), ['save']);
    },
  },
  {
    id: '9.15',
    title: 'a number as text is good for an INT',
    run: async (target) => {
      const workflow = withInput(target.workflows.picture(), 'sampler', 'steps', '3');
      const { messages, promptId } = await record(target, workflow);
      const [event] = eventsOf(messages, 'progress', promptId).filter(
        ({ data }) => data['node'] === 'sampler',
      );
      assert.equal(event?.data['max'], 3);
    },
  },
];

function inputCase(
  id: string,
  errorType: string,
  node: string,
  input: string,
  value: unknown,
): ConformanceCase {
  return {
    id,
    title: errorType,
    run: async (target: Target) => {
      const { type, nodeErrors } = await refusalOf(
        target,
        withInput(target.workflows.picture(), node, input, value),
      );
      assert.equal(type, 'prompt_outputs_failed_validation');
      assert.deepEqual(nodeErrors[node]?.types, [errorType]);
    },
  };
}

/** Whether wrong inputs are refused by the submission's answer, and not only by the job's failure. */
const looksAtOnce = async (target: Target): Promise<boolean> => {
  const prompt = withInput(target.workflows.picture(), 'sampler', 'steps', 0);
  return (await api(target, 'POST', '/api/prompt', { body: { prompt } })).status === 400;
};

/** The workflow with another value at one input; without the input where the value is `undefined`. */
const withInput = (workflow: Workflow, id: string, input: string, value: unknown): Workflow => {
  const node = workflow[id];
  assert.ok(node !== undefined, `the workflow has ${id}`);
  return { ...workflow, [id]: { ...node, inputs: { ...node.inputs, [input]: value } } };
};
