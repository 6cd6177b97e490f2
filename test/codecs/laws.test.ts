import * as E from 'fp-ts/lib/Either.js';
import fc from 'fast-check';
import type * as t from 'io-ts';
import { describe, expect, expectTypeOf, it } from 'vitest';
import * as codecs from '../../src/codecs.js';
import { decodeFrame } from '../../src/core/protocol/frames/decode-frame.js';
import { readErrorBody } from '../../src/core/errors/from-response.js';
import { readHistory } from '../../src/core/endpoints/history.js';
import { readJobDetail } from '../../src/core/endpoints/job-detail.js';
import { readJobStatus } from '../../src/core/endpoints/job-status.js';
import { readObjectInfo } from '../../src/core/endpoints/object-info.js';
import { readQueue } from '../../src/core/endpoints/queue.js';
import { readSubmission } from '../../src/core/endpoints/submit.js';
import { readUploadedFile } from '../../src/core/endpoints/upload.js';
import { readEngineLogs } from '../../src/core/endpoints/local/engine-logs.js';
import { readNames } from '../../src/core/endpoints/local/names.js';
import { readSystemStats } from '../../src/core/endpoints/system-stats.js';
import { readUserdataFiles } from '../../src/core/endpoints/local/userdata.js';
import { readUser } from '../../src/core/endpoints/user.js';
import { readDescriptor } from '../../src/core/state/outputs.js';
import { readApiWorkflow } from '../../src/workflow/read-api-workflow.js';
import { eventFixtures } from '../helpers/event-fixtures.js';
import { anyJson, spoiled, throughJson } from '../helpers/spoiled.js';
import { often, runs } from '../helpers/runs.js';

const record = {
  outputs: { '9': { images: [{ filename: 'a.png', subfolder: '', type: 'output' }] } },
  status: { status_str: 'success', completed: true, messages: [['execution_success', { prompt_id: 'p' }]] },
  prompt: { prompt_id: 'p' },
};
const nodeErrors = {
  '3': {
    class_type: 'KSampler',
    dependent_outputs: ['9'],
    errors: [{ type: 'value_smaller_than_min', message: 'small', details: 'steps', extra_info: {} }],
  },
};
const node = { class_type: 'SaveImage', inputs: { images: ['8', 0] }, _meta: { title: 'Save' } };
const nodeInfo = {
  input: { required: { seed: ['INT', { min: 0 }] }, hidden: {} },
  output: ['IMAGE'],
  output_node: true,
  name: 'Save',
  category: 'image',
};
const errorIn = (json: unknown) => {
  const { type, message, nodeErrors: nodes } = readErrorBody(JSON.stringify(json), json);
  return E.fromPredicate(
    () => [type, message, nodes].some((word) => word !== undefined),
    () => 'nothing is said',
  )(undefined);
};

type Case = readonly [
  name: string,
  codec: t.Mixed,
  read: (json: unknown) => E.Either<unknown, unknown>,
  good: readonly unknown[],
];

const cases: readonly Case[] = [
  ['namesCodec', codecs.namesCodec, readNames, [[], ['checkpoints', 'loras']]],
  [
    'engineLogsCodec',
    codecs.engineLogsCodec,
    readEngineLogs,
    [
      {
        entries: [
          { t: '2026-11-26T19:02:00', m: 'got prompt\n' },
          { t: 5, m: '' },
        ],
        size: { cols: 80, rows: 24 },
      },
    ],
  ],
  [
    'userdataFilesCodec',
    codecs.userdataFilesCodec,
    readUserdataFiles,
    [['a.json'], [{ path: 'a.json', size: 2, modified: 1, created: 1 }]],
  ],
  [
    'systemStatsCodec',
    codecs.systemStatsCodec,
    readSystemStats,
    [{ system: { os: 'posix' }, devices: [{}] }],
  ],
  [
    'submissionCodec',
    codecs.submissionCodec,
    readSubmission,
    [{ prompt_id: 'p', number: 1, node_errors: nodeErrors }],
  ],
  [
    'uploadedFileCodec',
    codecs.uploadedFileCodec,
    readUploadedFile,
    [{ name: 'a', subfolder: '', type: 'input' }],
  ],
  ['userCodec', codecs.userCodec, readUser, [{ status: 'active', id: 'u' }]],
  [
    'jobStatusCodec',
    codecs.jobStatusCodec,
    (json) => readJobStatus(json, 'p'),
    [{ id: 'p', status: 'pending' }],
  ],
  [
    'jobDetailCodec',
    codecs.jobDetailCodec,
    (json) => readJobDetail(json, 'p'),
    [{ id: 'p', status: 'completed', outputs: record.outputs, outputs_count: 1 }],
  ],
  [
    'historyCodec',
    codecs.historyCodec,
    (json) => readHistory(json, 'p'),
    [record, { p: record }, { ...record, status: { messages: [['execution_success', {}, 'more']] } }],
  ],
  [
    'queueCodec',
    codecs.queueCodec,
    readQueue,
    [{ queue_running: [[0, 'p', {}, ['9'], { create_time: 1 }]], queue_pending: [[1, 'q', {}, {}, ['9']]] }],
  ],
  ['objectInfoCodec', codecs.objectInfoCodec, readObjectInfo, [{ Save: nodeInfo }]],
  ['workflowCodec', codecs.workflowCodec, readApiWorkflow, [{ '9': node }]],
  [
    'outputFileCodec',
    codecs.outputFileCodec,
    (json) => E.fromNullable('no file')(readDescriptor(json)),
    [{ filename: 'a.mp4', subfolder: 's', type: 'output', format: 'video/mp4' }],
  ],
  [
    'errorBodyCodec',
    codecs.errorBodyCodec,
    errorIn,
    [
      {
        error: { type: 'prompt_no_outputs', message: 'no outputs', extra_info: {} },
        node_errors: nodeErrors,
      },
      { code: 'NOT_FOUND', message: 'no job' },
      { error: 'no' },
      { message: 'no' },
    ],
  ],
];

/** What a codec takes and its reader has nothing of: a record or a workflow that is not there yet, and texts of blanks. */
const saysNothing = (json: unknown): boolean =>
  Object.keys(json as object).length === 0 ||
  !/"(?:message|error|type|code)":"[^"]*[^\s"]/u.test(JSON.stringify(json));

/** Laws: the client reads every answer that the codec takes; guard and decoder take the same, and the decoder cuts off nothing. */
describe.each(cases)('what %s takes is read', (name, codec, read, good) => {
  const mayBeEmpty = ['historyCodec', 'errorBodyCodec', 'workflowCodec'].includes(name);

  it('of good answers, spoiled ones and other JSON', () => {
    const answers = fc.constantFrom(...good).map(throughJson);
    const seen = { yes: 0, no: 0 };
    fc.assert(
      fc.property(fc.oneof(answers, spoiled(answers), spoiled(spoiled(answers)), anyJson), (json) => {
        const isTaken = codec.is(json);
        seen[isTaken ? 'yes' : 'no'] += 1;
        const decoded = codec.decode(json);
        expect(E.isRight(decoded)).toBe(isTaken);
        if (E.isRight(decoded)) expect(decoded.right).toEqual(json);
        if (isTaken && !(mayBeEmpty && saysNothing(json)))
          expect(read(json)).toMatchObject({ _tag: 'Right' });
      }),
      { numRuns: runs(1000) },
    );
    expect(seen.yes).toBeGreaterThan(often(100));
    expect(seen.no).toBeGreaterThan(often(100));
  });
});

describe('eventMessageCodec', () => {
  const messages = fc.constantFrom(...eventFixtures).map(({ type, data }) => throughJson({ type, data }));

  /** Law: of JSON without a byte that only frames have, both say the same. */
  it('takes exactly what decodeFrame decodes as an event', () => {
    const seen = { yes: 0, no: 0 };
    fc.assert(
      fc.property(fc.oneof(messages, spoiled(messages), anyJson), (message) => {
        const isTaken = codecs.eventMessageCodec.is(message);
        seen[isTaken ? 'yes' : 'no'] += 1;
        expect(decodeFrame(JSON.stringify(message))._tag === 'Event').toBe(isTaken);
      }),
      { numRuns: runs(2000) },
    );
    expect(seen.yes).toBeGreaterThan(often(200));
    expect(seen.no).toBeGreaterThan(often(200));
  });
});

type Writable<A> = A extends object ? { -readonly [Key in keyof A]: Writable<A[Key]> } : A;

it('the types of the events are those of their codecs', () => {
  type Decoded = { [Type in keyof typeof codecs.eventCodecs]: t.TypeOf<(typeof codecs.eventCodecs)[Type]> };
  expectTypeOf<Writable<codecs.EventData>>().toEqualTypeOf<Writable<Decoded>>();
});
