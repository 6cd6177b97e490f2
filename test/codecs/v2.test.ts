import { describe, expect, it } from 'vitest';
import {
  v2ErrorCodec,
  v2EventCodecs,
  v2JobCodec,
  v2JobErrorCodec,
  v2NodeErrorsCodec,
  v2OutputCodec,
  v2ProgressCodec,
} from '../../src/codecs.js';
import { codecProblem } from '../helpers/codec-problem.js';
import {
  ended,
  envelope,
  job,
  jobError,
  jpegBase64,
  output,
  progress,
  running,
} from '../helpers/published-v2/documents.js';

describe('the codecs of API v2', () => {
  it.each([
    ['a job that waits', v2JobCodec, job()],
    ['a job that runs', v2JobCodec, running({ progress: progress(0.4), later: 1 })],
    ['a job that failed', v2JobCodec, ended({ status: 'failed', error: jobError(), outputs: [output()] })],
    ['a status of a later version', v2JobCodec, job({ status: 'paused', progress: null })],
    ['an output', v2OutputCodec, output('a.glb', { type: '3d', hash: null })],
    ['a progress', v2ProgressCodec, progress(1)],
    ['a failure', v2JobErrorCodec, jobError()],
    ['a refusal', v2ErrorCodec, envelope('job_not_found')],
    ['node errors by input', v2NodeErrorsCodec, { '3': [{ field: 'seed', reason: 'too large' }] }],
    [
      "node errors in the engine's words",
      v2NodeErrorsCodec,
      { '3': { errors: [{ type: 'x', message: 'y' }] } },
    ],
    ['the event status', v2EventCodecs.status, { status: 'running', queue_position: null }],
    [
      'the event preview',
      v2EventCodecs.preview,
      { node_id: '', content_type: 'image/jpeg', data_base64: jpegBase64 },
    ],
    ['the event log', v2EventCodecs.log, { level: 'info', message: '' }],
    ['the event error', v2EventCodecs.error, envelope('credential_expired')],
  ])('take %s', (_, codec, value) => {
    expect(codec.is(value), codecProblem(codec, value)).toBe(true);
  });

  it('refuse a job without a status, and a refusal without its envelope', () => {
    expect(v2JobCodec.is({ id: 'a', outputs: [] })).toBe(false);
    expect(v2ErrorCodec.is({ code: 'UNAUTHORIZED', message: 'no' })).toBe(false);
  });
});
