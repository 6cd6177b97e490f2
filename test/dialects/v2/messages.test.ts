import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeFrame } from '../../../src/core/protocol/frames/decode-frame.js';
import { isRight } from '../../../src/core/protocol/either.js';
import { initialJobState } from '../../../src/core/state/initial-job-state.js';
import { isEnd, jobMessages, type StreamEvent } from '../../../src/client/dialects/v2/messages.js';
import { isTerminal } from '../../../src/core/state/job-state.js';
import { type JobInput, stepJobState } from '../../../src/core/state/step-job-state.js';
import { jobEndpoint } from '../../../src/core/endpoints/v2/job.js';
import { jpegBase64, output } from '../../helpers/published-v2/documents.js';
import { recordOfJob } from '../../../src/core/endpoints/v2/read-job.js';

const framesOf = (events: readonly StreamEvent[]) => {
  const messages = jobMessages('p');
  return events.flatMap(messages.of).map((message) => decodeFrame(message));
};
const of = (event: string, data: unknown): StreamEvent => ({ event, data });

const recordIn = (document: unknown) => {
  const record = jobEndpoint('p', recordOfJob('p')).read(document);
  return isRight(record) ? record.right : undefined;
};

const words = ['queued', 'running', 'canceling', 'succeeded', 'failed', 'expired', 'canceled', 'paused'];
const status = fc.record({ status: fc.constantFrom(...words), queue_position: fc.option(fc.nat(9)) });
const progress = fc.record(
  {
    value: fc.double(),
    current_node: fc.constantFrom('3', '', null, 4),
    step: fc.option(fc.nat(20)),
    steps: fc.option(fc.nat(20)),
  },
  { requiredKeys: [] },
);
const file = fc.record(
  {
    node_id: fc.constantFrom('9', '12', null, 7),
    name: fc.constantFrom('a.png', 'b.mp4', ''),
    type: fc.constantFrom('image', 'video', 'text', '3d', 'holo', null),
    content_type: fc.constantFrom('image/png', null),
    id: fc.constantFrom('x', 'y'),
  },
  { requiredKeys: [] },
);
const picture = fc.record({
  node_id: fc.constantFrom('3', '', null),
  content_type: fc.constantFrom('image/jpeg', null, 'x'),
  data_base64: fc.oneof(fc.base64String(), fc.string(), fc.constant(null)),
});
const event: fc.Arbitrary<StreamEvent> = fc
  .oneof(
    fc.tuple(fc.constant('status'), status),
    fc.tuple(fc.constant('progress'), progress),
    fc.tuple(fc.constant('output'), file),
    fc.tuple(fc.constant('preview'), picture),
    fc.tuple(
      fc.oneof(fc.constantFrom('status', 'progress', 'output', 'preview', 'log'), fc.string()),
      fc.jsonValue(),
    ),
  )
  .map(([name, data]) => of(name, data));

describe('jobMessages', () => {
  it('turns a run into the events of today, each with its own under data.v2', () => {
    const frames = framesOf([
      of('status', { status: 'queued', queue_position: 1 }),
      of('status', { status: 'running' }),
      of('progress', { value: 0.1, current_node: '3', step: 1, steps: 4 }),
      of('progress', { value: 0.2, current_node: '3', step: 2, steps: 4 }),
      of('preview', { node_id: '3', content_type: 'image/jpeg', data_base64: jpegBase64 }),
      of('output', output()),
      of('log', { level: 'info', message: 'hi' }),
    ]);
    expect(frames.map((frame) => ('type' in frame ? frame.type : frame._tag))).toEqual([
      'v2/status',
      'execution_start',
      'executing',
      'progress',
      'progress',
      'Preview',
      'executed',
      'v2/log',
    ]);
    expect(frames[2]).toMatchObject({ promptId: 'p', data: { node: '3', v2: { event: 'progress' } } });
    expect(frames[3]).toMatchObject({ data: { value: 1, max: 4, v2: { data: { value: 0.1 } } } });
    expect(frames[5]).toMatchObject({ mediaType: 'image/jpeg', promptId: 'p', nodeId: '3' });
    expect(frames[6]).toMatchObject({ data: { output: { images: [{ asset: output() }] } } });
  });

  it('says why a job failed, and gives the outputs that no event brought', () => {
    const messages = jobMessages('p');
    const failed = of('status', { status: 'failed' });
    const error = { code: 'node_execution_error', message: 'boom', node_id: '3', class_type: 'KSampler' };
    const record = recordIn({ id: 'p', status: 'failed', error, outputs: [output()] });
    const frames = messages.ofEnd(failed, record).map((message) => decodeFrame(message));
    expect(frames).toMatchObject([
      { type: 'executed' },
      {
        type: 'execution_error',
        data: {
          exception_type: 'node_execution_error',
          exception_message: 'boom',
          node_id: '3',
          node_type: 'KSampler',
          v2: failed,
        },
      },
    ]);
  });

  it('repeats no picture that it can not read', () => {
    const [frame] = framesOf([of('preview', { node_id: '3', data_base64: '!' })]);
    expect(frame).toMatchObject({ _tag: 'Unknown', type: 'v2/preview' });
    expect(JSON.stringify(frame)).not.toContain('data_base64');
  });

  it('makes readable messages of any events, whose states end as polling alone does', () => {
    fc.assert(
      fc.property(
        fc.array(event, { maxLength: 20 }),
        fc.constantFrom('succeeded', 'failed', 'expired', 'canceled'),
        fc.array(file, { maxLength: 4 }),
        (events, word, outputs) => {
          const messages = jobMessages('p');
          const record = recordIn({ id: 'p', status: word, outputs, error: null });
          const end = of('status', { status: word });
          const before = events.filter((one) => !isEnd(one));
          const frames = [...before.flatMap(messages.of), ...messages.ofEnd(end, record)].map((message) =>
            decodeFrame(message),
          );
          expect(frames.filter(({ _tag }) => _tag === 'Malformed')).toEqual([]);
          const fold = (all: readonly JobInput[]) =>
            all.reduce(stepJobState, initialJobState({ promptId: 'p', phase: 'pending' }));
          const polled = fold([{ _tag: 'HistoryRead', ...record!, promptId: 'p' }]);
          const streamed = fold(frames);
          expect(isTerminal(streamed.phase)).toBe(true);
          expect(streamed.phase).toBe(polled.phase);
          expect(streamed.failure?.exceptionType).toBe(polled.failure?.exceptionType);
          expect(streamed.failure?.exceptionMessage).toBe(polled.failure?.exceptionMessage);
        },
      ),
    );
  });
});
