import type { CliEvent } from '../../../src/cli/report/cli-event.js';
import { poolServer } from './pool-server.js';
import { serviceError } from '../../../src/node.js';
import { jobState, nodeState } from './job-state.js';

const file = { nodeId: '9', filename: 'a.png', subfolder: '', type: 'output', mediaType: 'image/png' };
const info = {
  input: { required: { seed: ['INT', { default: 7 }], mode: [['a', 'b']] }, optional: { mask: ['MASK'] } },
  output: ['IMAGE', 'MASK'],
  output_node: false,
  name: 'Thing',
  category: 'things',
  description: 'Does a thing.',
};
const failure = {
  exceptionType: 'OOMError',
  exceptionMessage: 'out of memory',
  nodeId: '3',
  nodeType: 'KSampler',
  traceback: ['File "x.py", line 1\n'],
  nodeErrors: {},
};

/** Events of every kind, each with all that it can hold. */
export const events: readonly CliEvent[] = [
  { kind: 'submitted', detached: false, promptId: 'p', number: 1, nodeErrors: {} },
  {
    kind: 'state',
    state: jobState([nodeState('3', { text: 'half' })], { nodeCount: 2 }),
    titles: new Map(),
    shown: { value: 0.5, stage: 'running', timeLeftMs: 5, timeLeftMaxMs: 9 },
  },
  {
    ...{ kind: 'batch', file: 'a.json', index: 0, of: 2 },
    state: {
      ...jobState([], { phase: 'completed', progress: 1, nodeCount: 2 }),
      server: 'attic',
      attempt: 1,
    },
  },
  { kind: 'servers', servers: [poolServer()], isLast: true },
  { kind: 'connection', state: 'missing', reason: 'refused' },
  { kind: 'connection', promptId: 'p', state: 'lost', reason: 'cut' },
  { kind: 'connection', promptId: 'p', state: 'back' },
  {
    kind: 'preview',
    preview: {
      _tag: 'Preview',
      mediaType: 'image/png',
      image: new Uint8Array(3),
      promptId: 'p',
      nodeId: '3',
    },
  },
  { kind: 'output', promptId: 'p', file: { ...file, displayNodeId: '8' } },
  {
    kind: 'text',
    promptId: 'p',
    nodeId: '7.1',
    displayNodeId: '7',
    text: 'a cat',
    titles: new Map([['7', 'Caption']]),
  },
  { kind: 'text', promptId: 'p', nodeId: '8', text: 'one\r\n two\n', titles: new Map() },
  { kind: 'existing', promptId: 'p', count: 2 },
  { kind: 'skipped', promptId: 'p', count: 1 },
  { kind: 'download', state: { done: false, files: [], total: 1, receivedBytes: 1, expectedBytes: 2 } },
  { kind: 'saved', promptId: 'p', file: { ...file, path: '/out/a.png', bytes: 3, verified: true } },
  { kind: 'uploaded', value: 'pets/cat.png', name: 'cat.png', subfolder: 'pets', type: 'input' },
  {
    kind: 'inspected',
    inspection: {
      file: 'a.png',
      format: 'png',
      holds: ['api', 'ui'],
      version: 0.4,
      nodes: [{ nodeId: '4', class: 'LoraLoader', title: 'Load', inputs: { lora_name: 'a.safetensors' } }],
      models: [{ name: 'a.safetensors', nodeId: '4', input: 'lora_name' }],
      problems: [
        { type: 'missing_node', severity: 'error', message: 'Not there.', nodeId: '4', input: 'model' },
      ],
    },
  },
  {
    kind: 'converted',
    workflow: { '1': { class_type: 'A', inputs: { seed: 2n ** 64n - 1n } } },
    path: 'api.json',
  },
  {
    kind: 'change',
    node: 'A',
    change: { _tag: 'NodeRemoved', nodeId: '3', node: { class_type: 'A', inputs: {} } },
  },
  {
    kind: 'status',
    status: {
      promptId: 'p',
      status: 'executing',
      phase: 'in_progress',
      failure,
      createdAt: 'a',
      updatedAt: 'b',
    },
  },
  {
    kind: 'shown',
    id: 'p',
    state: jobState([nodeState('3', { text: 'half', activity: 'loading' })], {
      queue: { position: 2, reason: 'capacity' },
      ...{ queuedAt: 1_000, startedAt: 3_000, endedAt: 63_000 },
      outputs: { '9': { images: [{ ...file, metadata: { width: 64, height: 32, duration: 2.5 } }] } },
      socketImages: [{ nodeId: '4', index: 0, mediaType: 'image/png', bytes: Uint8Array.of(1, 2) }],
      unread: [{ nodeId: '9', key: 'images', reason: 'no file name', sample: '{}' }],
      ...{ warnings: ['a branch was blocked'], failure },
    }),
  },
  {
    kind: 'queue',
    queue: { running: [{ promptId: 'p', number: 1 }], pending: [{ promptId: 'q', number: 2 }] },
  },
  { kind: 'submitted', detached: true, promptId: 'p', recorded: true, nodeErrors: {} },
  { kind: 'cancelled', promptId: 'p' },
  { kind: 'over', promptId: 'p', phase: 'failed' },
  { kind: 'cancelling', promptId: 'p' },
  { kind: 'cancelRequested', promptId: 'p' },
  { kind: 'interrupted' },
  { kind: 'nodeClass', name: 'Thing', info, whole: false },
  { kind: 'nodeClass', name: 'Thing', info, whole: true },
  { kind: 'user', user: { id: 'u', status: 'active' } },
  {
    kind: 'emulator',
    dialect: 'cloud',
    baseUrl: 'http://a',
    wsUrl: 'ws://a',
    storageUrl: 'http://b',
    apiKey: 'k',
  },
  { kind: 'engines', baseUrls: ['http://a', 'http://b'] },
  { kind: 'gateway', baseUrl: 'http://c' },
  { kind: 'studio', baseUrl: 'http://s', service: 'a service' },
  { kind: 'checked', folder: 'data', problems: 2, repaired: true },
  { kind: 'checked', folder: 'data', problems: 1, repaired: false },
  { kind: 'checked', folder: 'data', problems: 0, repaired: false },
  { kind: 'request', method: 'POST', path: '/api/v2/jobs', status: 201, ms: 4, caller: 'web' },
  { kind: 'worker', id: 'w', queue: 'q' },
  {
    kind: 'job',
    job: {
      ...{ id: 'j', phase: 'failed', promptId: 'p', tenant: 't', priority: 1, key: 'k' },
      ...{ createdAt: 1, endedAt: 2, reason: 'why', worker: 'w' },
    },
  },
  {
    kind: 'stats',
    stats: {
      ...{ waiting: 1, delayed: 2, held: 3, unknown: 4, ended: 5, slots: 6, foreign: 1, damaged: 0 },
      ...{ draining: true, paused: 'why' },
    },
  },
  { kind: 'queueChanged', change: 'cleared', jobs: 3 },
  {
    kind: 'problem',
    problem: {
      nodeId: '3',
      input: 'steps',
      type: 'value_smaller_than_min',
      severity: 'error',
      message: 'steps is 0',
      fix: 1,
      serverOnly: true,
    },
  },
  {
    kind: 'preflight',
    report: {
      verdict: 'refused',
      problems: [],
      missingClasses: [{ className: 'Gone', nodeIds: ['1', '2'], pack: 'gone-pack' }],
      missingModels: [
        {
          name: 'a.safetensors',
          nodeId: '4',
          input: 'ckpt',
          url: 'https://m.example/a',
          directory: 'checkpoints',
        },
      ],
      unknownModels: [{ name: 'b.pth' }],
      replaced: [{ nodeId: '3', className: 'Old', newClass: 'New', droppedInputs: ['x'], breaks: 'perhaps' }],
      uploads: [{ nodeId: '5', input: 'image', name: 'c.png', bytes: 10, isTooLarge: true }],
      paidNodes: [
        { nodeId: '6', className: 'Partner', price: { engine: 'jsonata', expression: '1', values: {} } },
      ],
      plan: { paidNodes: 'open', freeRuns: { allowance: 3, used: 2, remaining: 1 }, maxUploadBytes: 5 },
    },
  },
  { kind: 'verdict', verdict: 'partly', errors: 1, warnings: 2 },
  { kind: 'declared', path: 'nodes.d.ts', classes: 2 },
  {
    kind: 'unread',
    promptId: 'p',
    nodeId: '9',
    key: 'images',
    reason: 'no file name',
    sample: '{}',
    titles: new Map(),
  },
  { kind: 'example', name: 'upscale', description: 'Makes a picture larger.', inputs: ['picture'] },
  { kind: 'program', text: 'graph()', path: 'job.ts' },
  { kind: 'fixed', path: 'a.json', fixes: 1, workflow: {} },
  { kind: 'fixed', fixes: 1, workflow: {} },
  { kind: 'warning', message: 'a branch was blocked' },
  { kind: 'failure', promptId: 'p', failure },
  { kind: 'error', error: serviceError('OutcomeUnknown', { message: 'x', candidates: ['c'], startedAt: 1 }) },
  { kind: 'error', error: new Error('odd') },
  { kind: 'end', exit: 'SIGINT', stage: 'watch', promptId: 'p', elapsedMs: 12.4 },
];
