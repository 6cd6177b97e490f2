import type { ServiceErrorOf } from '../../core/errors/errors.js';
import { serviceError } from '../../core/errors/service-error.js';

/** The error of a recording that can't be read; `line` counts from 1. */
export const invalidRecording = (line: number, reason: string): ServiceErrorOf<'InvalidRecording'> =>
  serviceError('InvalidRecording', {
    message: `The recording can't be read: line ${line} ${reason}.`,
    hint: 'Give a file of recordFrames or `promptwire run --record`, or a HAR with WebSocket messages; record it again if it was cut.',
    line,
    reason,
  });
