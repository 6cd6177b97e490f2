import type { Patch } from '../patch.js';

/** Group D: messages that can't be read, or not as what they seem. */
export const frames: readonly Patch[] = [
  {
    id: 'D1',
    story: 'A binary message of a type that a client does not know ends its process.',
    file: 'src/protocol/frames/binary-frame.ts',
    find: "return decodeJsonBytes(bytes, options) ?? { _tag: 'Unknown', kind: 'binary', type, bytes };",
    replace: "throw new Error('unknown binary type ' + type);",
    caughtBy: { figure: 'S5', within: 5_000 },
  },
  {
    id: 'D2',
    story: 'A binary message of two bytes ends the process of a client, which reads four.',
    file: 'src/protocol/frames/binary-frame.ts',
    find: "if (bytes.length < 4) return decodeJsonBytes(bytes, options) ?? refuse(bytes, 'shorter than its type');",
    replace: 'new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0);',
    caughtBy: { figure: 'S5', within: 20_000 },
  },
  {
    id: 'D3',
    story: 'A length field beyond the end of its message ends the process of a client, which believes it.',
    file: 'src/protocol/frames/binary-frame.ts',
    find: "if (start > bytes.length) return refuse(bytes, 'type 4: metadata longer than the frame');",
    replace: 'new DataView(bytes.buffer, bytes.byteOffset + 8, length);',
    caughtBy: { figure: 'S5', within: 20_000 },
  },
  {
    id: 'D4',
    story: 'A client reads the code of the picture where that of the message stands, and calls a PNG a JPEG.',
    file: 'src/protocol/frames/binary-frame.ts',
    find: 'uint32(bytes, 4) === 2',
    replace: 'uint32(bytes, 0) === 2',
    caughtBy: { test: 'test/protocol/frames/binary-frame.test.ts', name: 'D4' },
  },
  {
    id: 'D5',
    story:
      'Broken JSON ends the process of one client, the running job of another and the stream of a third.',
    file: 'src/protocol/json/parse-json.ts',
    find: 'return parseWithoutNumbersOfPython(text);',
    replace: "throw new SyntaxError('Unexpected token in JSON');",
    caughtBy: { figure: 'S1', from: 21, within: 200 },
  },
  {
    id: 'D6',
    story: 'A message that is JSON, but null, ends a client that looks for its type.',
    file: 'src/protocol/frames/text-frame.ts',
    find: "if (!isJsonObject(message)) return refuse('the message should be an object', text, size, options);",
    replace: '',
    caughtBy: { figure: 'S1', within: 200 },
  },
  {
    id: 'D14',
    story: 'The outputs of a node that is called __proto__ vanish in a plain object.',
    file: 'src/state/outputs.ts',
    find: 'Object.create(null) as Record<string, NodeOutputs>',
    replace: '{} as Record<string, NodeOutputs>',
    caughtBy: { test: 'test/state/outputs.test.ts', name: 'D14' },
  },
];
