import type { EventType } from '../../src/core/protocol/event-data.js';

/** An own example of an event in one of its shapes. */
export interface EventFixture {
  readonly shape: string;
  readonly type: EventType;
  readonly data: Readonly<Record<string, unknown>>;
  readonly promptId?: string;
}

const promptId = '6a1f0c52-7d3e-4b8a-9c1d-2e5f60718293';
const timestamp = 1790000000123;

const fixture = (shape: string, type: EventType, data: Readonly<Record<string, unknown>>): EventFixture => ({
  shape,
  type,
  data,
  ...(typeof data['prompt_id'] === 'string' && data['prompt_id'] !== ''
    ? { promptId: data['prompt_id'] }
    : {}),
});

const failure = {
  prompt_id: promptId,
  node_id: '7',
  node_type: 'KSampler',
  executed: ['4', '5'],
  exception_type: 'torch.OutOfMemoryError',
  exception_message: 'no room left\n',
  traceback: ['  File "nodes.py", line 1\n    raise\n'],
  current_inputs: { seed: [3], image: ['tensor([[0.]])'], mask: [null] },
  current_outputs: ['4', '5', '7'],
  timestamp,
};

/** Every event in every shape that the service is known to send. */
export const eventFixtures: readonly EventFixture[] = [
  fixture('nested, first of a socket', 'status', {
    status: { exec_info: { queue_remaining: 2 } },
    sid: 'c0ffee',
  }),
  fixture('nested', 'status', { status: { exec_info: { queue_remaining: 0 } } }),
  fixture('half nested', 'status', { exec_info: { queue_remaining: 1 } }),
  fixture('flat', 'status', { queue_remaining: 3 }),
  fixture('null', 'status', { status: null }),
  fixture('empty', 'status', {}),
  fixture('with id', 'notification', { value: 'Loading the model', id: promptId }),
  fixture('without id', 'notification', { value: 'Allocating a machine' }),
  fixture('null id', 'notification', { value: '', id: null }),
  fixture('usual', 'execution_start', { prompt_id: promptId, timestamp }),
  fixture('no time', 'execution_start', { prompt_id: promptId }),
  fixture('empty prompt id', 'execution_start', { prompt_id: '', timestamp }),
  fixture('some', 'execution_cached', { nodes: ['1', '12:7'], prompt_id: promptId, timestamp }),
  fixture('none', 'execution_cached', { nodes: [], prompt_id: promptId, timestamp }),
  fixture('node', 'executing', { node: '5.0.0.3', display_node: '5', prompt_id: promptId }),
  fixture('end by null', 'executing', { node: null, prompt_id: promptId }),
  fixture('end by empty', 'executing', { node: '', prompt_id: promptId }),
  fixture('end by absence', 'executing', { prompt_id: promptId }),
  fixture('reconnect copy', 'executing', { node: '5' }),
  fixture('whole steps', 'progress', { value: 3, max: 20, prompt_id: promptId, node: '3' }),
  fixture('fractions', 'progress', { value: 0.5, max: 1.5, prompt_id: promptId, node: '3' }),
  fixture('max 0', 'progress', { value: 0, max: 0, prompt_id: promptId, node: '3' }),
  fixture('values that were NaN', 'progress', { value: null, max: null, prompt_id: promptId, node: '3' }),
  fixture('null node', 'progress', { value: 1, max: 2, prompt_id: promptId, node: null }),
  fixture('absent node', 'progress', { value: 1, max: 2, prompt_id: promptId }),
  fixture('all members', 'progress_state', {
    prompt_id: promptId,
    nodes: {
      '5.0.0.1': {
        value: 0.0,
        max: 1.0,
        state: 'running',
        node_id: '5.0.0.1',
        prompt_id: promptId,
        display_node_id: '5',
        parent_node_id: '5',
        real_node_id: '5',
      },
      '1': { value: 4, max: 4, state: 'finished', node_id: '1', parent_node_id: null, real_node_id: '1' },
    },
  }),
  fixture('ids only', 'progress_state', {
    prompt_id: promptId,
    nodes: { '1': { node_id: '1', class_type: 'VAEDecode' }, '2': {} },
  }),
  fixture('no nodes', 'progress_state', { prompt_id: promptId, nodes: {} }),
  fixture('files', 'executed', {
    node: '9',
    display_node: '9',
    output: { images: [{ filename: 'a_00001_.png', subfolder: '', type: 'output' }], animated: [true] },
    prompt_id: promptId,
    merge: true,
  }),
  fixture('anything', 'executed', {
    node: '9',
    output: { text: 'one', '3d': [1, ['x'], null] },
    prompt_id: promptId,
  }),
  fixture('null output', 'executed', { node: '9', display_node: '9', output: null, prompt_id: promptId }),
  fixture('no output', 'executed', { node: '9', prompt_id: promptId }),
  fixture('usual', 'execution_success', { prompt_id: promptId, timestamp }),
  fixture('no time', 'execution_success', { prompt_id: promptId }),
  fixture('in a node', 'execution_error', failure),
  fixture('outputs as object', 'execution_error', { ...failure, current_outputs: { '4': [[1]] } }),
  fixture('before any node, null', 'execution_error', {
    ...failure,
    node_id: null,
    node_type: null,
    executed: null,
    traceback: null,
    current_inputs: null,
    current_outputs: null,
  }),
  fixture('before any node, empty', 'execution_error', {
    ...failure,
    node_id: '',
    node_type: '',
    executed: [],
    traceback: [],
  }),
  fixture('before any node, absent', 'execution_error', {
    prompt_id: promptId,
    exception_type: 'ValidationError',
    exception_message: '{"error": {"type": "prompt_no_outputs"}, "node_errors": {}}',
  }),
  fixture('blocked branch', 'execution_error', {
    prompt_id: promptId,
    node_id: '6',
    node_type: 'PreviewImage',
    executed: ['1'],
    exception_type: 'ExecutionBlocked',
    exception_message: 'Execution Blocked: not today',
    traceback: [],
    current_inputs: [],
    current_outputs: [],
  }),
  fixture('in a node', 'execution_interrupted', {
    prompt_id: promptId,
    node_id: '3',
    node_type: 'KSampler',
    executed: ['4'],
    timestamp,
  }),
  fixture('no node', 'execution_interrupted', {
    prompt_id: promptId,
    node_id: null,
    node_type: null,
    executed: null,
  }),
  fixture('bare', 'execution_interrupted', { prompt_id: promptId }),
  fixture('usual', 'feature_flags', { supports_preview_metadata: true, max_upload_size: 104857600 }),
  fixture('none', 'feature_flags', {}),
];
