import fc from 'fast-check';
import type { Frame } from '../../src/core/protocol/frames/frame.js';
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
  step,
  success,
  unknownBinary,
  unknownText,
} from './frames.js';

const job = fc.constantFrom('a', 'a', 'a', 'b', 'c');

const node = fc.constantFrom('5', '6');

/** Each kind of frame, of few jobs and nodes so that they meet. */
export const frameKinds = {
  start: job.map((id) => start(id)),
  executing: fc.tuple(job, fc.option(node)).map(([id, at]) => executing(id, at)),
  step: fc.tuple(job, node, fc.integer({ min: 0, max: 4 })).map(([id, at, value]) => step(id, at, value, 4)),
  executed: fc.tuple(job, node).map(([id, at]) => executed(id, at, { images: [] })),
  success: job.map((id) => success(id)),
  failure: job.map((id) => failure(id)),
  blocked: job.map((id) => failure(id, 'ExecutionBlocked')),
  interrupted: job.map((id) => interrupted(id)),
  namedPreview: fc.tuple(job, node).map(([id, at]) => preview(id, at)),
  barePreview: fc.constant(null).map(() => preview()),
  namedText: fc.tuple(job, node).map(([id, at]) => nodeText(at, 'x', id)),
  bareText: node.map((at) => nodeText(at, 'x')),
  status: fc.nat(3).map((n) => queueStatus(n)),
  unknownText: fc.option(job, { nil: undefined }).map((id) => unknownText('news', id)),
  unknownBinary: fc.constant(null).map(() => unknownBinary(9)),
  malformed: fc.constant(null).map(() => ({ ...malformed })),
} satisfies Record<string, fc.Arbitrary<Frame>>;

/** Any frame; no two are the same object, so that a test can tell which one it sees. */
export const arbitraryFrame: fc.Arbitrary<Frame> = fc.oneof(
  ...Object.values<fc.Arbitrary<Frame>>(frameKinds),
);
