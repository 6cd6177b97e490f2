import { describe, expect, it } from 'vitest';
import { endsJob } from '../../../src/core/protocol/attribution/running-prompts.js';
import {
  executed,
  executing,
  failure,
  interrupted,
  malformed,
  nodeText,
  preview,
  queueStatus,
  start,
  success,
  unknownBinary,
  unknownText,
} from '../../helpers/frames.js';

describe('endsJob', () => {
  it.each([success('a'), failure('a'), failure('a', 'AnythingNew'), interrupted('a')])(
    'is true for $type',
    (frame) => {
      expect(endsJob(frame)).toBe(true);
    },
  );

  it.each([
    failure('a', 'ExecutionBlocked'),
    start('a'),
    executing('a', null),
    executed('a', '9', null),
    queueStatus(0),
    preview('a', '5'),
    nodeText('5', 'done', 'a'),
    unknownText('execution_success_2', 'a'),
    unknownBinary(9),
    malformed,
  ])('is false for $_tag $type', (frame) => {
    expect(endsJob(frame)).toBe(false);
  });
});
