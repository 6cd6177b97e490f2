import { encodeBinary, encodePreviewWithMetadata } from '../../helpers/encode-frame.js';
import { nodeId } from '../sim-messages.js';
import type { SimJob } from '../sim-jobs.js';
import type { Random } from '../random.js';
import type { Effect } from './effect.js';

type Message = string | Uint8Array;

/** Group D: messages that are not what they should be. */
export const frameFaults = {
  'unknown event': injected((job) => [json('brand_new', { prompt_id: job?.promptId })]),
  'unknown binary message': injected((_, random) => [
    encodeBinary(random.pick([0, 2, 5, 99, 2 ** 32 - 1]), Uint8Array.of(1, 2, 3)),
  ]),
  'short binary messages': injected(() =>
    Array.from({ length: 9 }, (_, length) => new Uint8Array(length).fill(1)),
  ),
  'metadata longer than its message': injected((job, random) => {
    const bytes = encodePreviewWithMetadata({ prompt_id: job?.promptId }, Uint8Array.of(0xff, 0xd8));
    new DataView(bytes.buffer).setUint32(4, random.pick([0, 2 ** 31, 2 ** 32 - 1, bytes.length]));
    return [bytes];
  }),
  'broken JSON': injected((job) => [`{"type":"execution_success","data":{"prompt_id":"${job?.promptId}"`]),
  'JSON of another shape': injected(() => [
    'null',
    '[]',
    '{"type":7,"data":null}',
    '{"type":"progress"}',
    '"x"',
  ]),
  'JSON of great depth': injected(() => ['['.repeat(5_000) + ']'.repeat(5_000)]),
  'reserved names as ids': injected((job, _, isLocal) =>
    ['__proto__', 'constructor'].flatMap((node) => [
      json('executing', { node, display_node: node, prompt_id: job?.promptId }),
      // A server that runs one job at a time names no second one.
      json('executed', {
        node,
        display_node: node,
        output: { images: [] },
        prompt_id: isLocal ? job?.promptId : node,
      }),
    ]),
  ),
  'numbers that are none': injected((job) => [
    `{"type":"progress","data":{"node":"${job === undefined ? '' : nodeId(job.plan, 0)}","value":NaN,"max":"9","prompt_id":"${job?.promptId}"}}`,
    json('progress', { node: 7, value: 2 ** 60, max: -1, prompt_id: job?.promptId }),
  ]),
  'pictures without a job': injected(() => [
    encodeBinary(1, Uint8Array.of(0, 0, 0, 1, 0xff, 0xd8, 0xff)),
    encodeBinary(1, Uint8Array.of(0, 0, 0, 9, 1, 2, 3)),
  ]),
} satisfies Record<string, Effect>;

const json = (type: string, data: object): string => JSON.stringify({ type, data });

function injected(
  make: (job: SimJob | undefined, random: Random, isLocal: boolean) => readonly Message[],
): Effect {
  return ({ backend, fault, random, hit }) => {
    // Locally nothing names a job but the one that runs.
    const job = backend.local === undefined ? backend.jobsOfPlan(fault.job)[0] : backend.local.running();
    for (const message of make(job, random, backend.local !== undefined))
      if (backend.sockets.send(message)) hit();
  };
}
