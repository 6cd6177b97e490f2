import { replace, drop, type Mutant } from '../mutant.js';
import { branch, call, statement } from '../selectors.js';

/** Group D: messages that can't be read, or not as what they seem. */
export const frames: readonly Mutant[] = [
  {
    id: 'D1',
    story: 'A binary message of a type that a client does not know ends its process.',
    in: 'unknownBinary',
    change: replace(statement('Unknown', 'binary'), "throw new Error('unknown binary type');"),
    caughtBy: { figure: 'hostile-frames', within: 5_000 },
  },
  {
    id: 'D2',
    story: 'A binary message of two bytes ends the process of a client, which reads four.',
    in: 'decodeBinary',
    change: replace(
      branch('length', '<', '4'),
      'new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0);',
    ),
    caughtBy: { figure: 'hostile-frames', within: 20_000 },
  },
  {
    id: 'D3',
    story: 'A length field beyond the end of its message ends the process of a client, which believes it.',
    in: 'decodePreviewWithMetadata',
    change: replace(
      branch('start', '>', 'length'),
      'new DataView(bytes.buffer, bytes.byteOffset + 8, length);',
    ),
    caughtBy: { figure: 'hostile-frames', within: 20_000 },
  },
  {
    id: 'D4',
    story: 'A client reads the code of the picture where that of the message stands, and calls a PNG a JPEG.',
    in: 'decodePreview',
    change: replace(call('pictureTypeOf'), "uint32(bytes, 0) === 2 ? 'image/png' : 'image/jpeg'"),
    caughtBy: { test: 'test/protocol/frames/binary-frame.test.ts', name: 'D4' },
  },
  {
    id: 'D5',
    story:
      'Broken JSON ends the process of one client, the running job of another and the stream of a third.',
    in: 'parse',
    change: replace(
      statement('parseWithPythonNumbers'),
      "throw new SyntaxError('Unexpected token in JSON');",
    ),
    caughtBy: { figure: 'random-fault-schedules', from: 21, within: 200 },
  },
  {
    id: 'D6',
    story: 'A message that is JSON, but null, ends a client that looks for its type.',
    in: 'decodeMessage',
    change: drop(branch('isJsonObject')),
    caughtBy: { figure: 'random-fault-schedules', within: 200 },
  },
  {
    id: 'D14',
    story: 'The outputs of a node that is called __proto__ vanish in a plain object.',
    in: 'readOutputs',
    change: replace(call('create'), '({})'),
    caughtBy: { test: 'test/state/outputs.test.ts', name: 'D14' },
  },
];
