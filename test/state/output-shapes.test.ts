import { describe, expect, it } from 'vitest';
import { initialJobState, isTerminal, outputFiles, outputTexts, unreadOutputs } from '../../src/index.js';
import { outputsVerdict } from '../../src/client/jobs/outputs-verdict.js';
import { mergeOutputs } from '../../src/core/state/merge-outputs.js';
import { readJobDetail } from '../../src/core/endpoints/job-detail.js';
import { readOutputs } from '../../src/core/state/outputs.js';
import { stepJobState } from '../../src/core/state/step-job-state.js';

const hex = '0123456789abcdef'.repeat(2);
const camera = { position: { x: 1 }, target: { x: 0 }, zoom: 1 };

interface Shape {
  readonly node: unknown;
  /** `TYPE:PATH` of each file. */
  readonly files?: readonly string[];
  /** `KEY:TEXT` of each text. */
  readonly texts?: readonly string[];
  /** `KEY:REASON` of each thing that can't be read. */
  readonly unread?: readonly string[];
}

/** Every shape in which nodes report, and what it is. */
const shapes: Readonly<Record<string, Shape>> = {
  'an integer beyond a double in place of a name': {
    node: { images: [{ filename: 2n ** 64n }] },
    unread: ['images:no file name'],
  },
  'pictures beside a flag': {
    node: { images: [{ filename: 'a.png', subfolder: 'x', type: 'output' }], animated: [false] },
    files: ['output:x/a.png'],
  },
  'a latent': { node: { latents: [{ filename: 'a.latent' }] }, files: ['output:a.latent'] },
  'a saved text': {
    node: { files: [{ filename: 'a.md' }], text: ['# a'] },
    files: ['output:a.md'],
    texts: ['text:# a'],
  },
  'a comparison with an empty side': {
    node: { a_images: [{ filename: 'a.png', type: 'temp' }], b_images: [] },
    files: ['temp:a.png'],
  },
  'descriptors under a key of an extension': {
    node: { what_ever: [{ filename: 'a.xyz' }] },
    files: ['output:a.xyz'],
  },
  'form A with a name': {
    node: { result: [`preview3d_${hex}.glb`, camera, null] },
    files: [`output:preview3d_${hex}.glb`],
  },
  'form A with a path and a background': {
    node: { result: ['3d/x.glb', null, `temp/bg_${hex}.png`] },
    files: ['output:3d/x.glb', `temp:bg_${hex}.png`],
  },
  'form B': {
    node: { result: ['3d/x.ply', camera, [{ name: 'x', vertices: 3 }]] },
    files: ['output:3d/x.ply'],
  },
  'form B in temp, which nothing says': {
    node: { result: [`preview_pointcloud_${hex}.ply`, null, []] },
    files: [`temp:preview_pointcloud_${hex}.ply`],
  },
  'form B with an annotation': {
    node: { result: [`preview_splat_${hex}.ply [temp]`, null, []] },
    files: [`temp:preview_splat_${hex}.ply`],
  },
  'an annotated input': { node: { result: ['chair.obj [input]'] }, files: ['input:chair.obj'] },
  'a list beside `result`': {
    node: {
      '3d': [{ filename: 'x.glb', subfolder: '3d', type: 'output' }],
      result: ['3d/x.glb', camera, []],
    },
    files: ['output:3d/x.glb'],
  },
  'keys that were announced': {
    node: {
      '3d': [{ filename: 'x.glb', type: 'temp' }],
      camera_info: [camera],
      model_3d_info: [{ scale: 2 }],
    },
    files: ['temp:x.glb'],
  },
  'a path as filename': {
    node: { mesh: [{ filename: 'a\\b/x.stl', subfolder: '3d' }] },
    files: ['output:3d/a/b/x.stl'],
  },
  'an annotated filename': {
    node: { mesh: [{ filename: 'x.stl [temp]', type: 'output' }] },
    files: ['temp:x.stl'],
  },
  'a text that the jobs API made an object of': {
    node: { text: [{ filename: 'saved as x.glb', type: 'output', subfolder: '', mediaType: '3d' }] },
    texts: ['text:saved as x.glb'],
  },
  'texts under any key': {
    node: { string: ['a'], tags: ['b, c'], histogram: [1, 2], dims: [[3, 4]], pairs: [['d', 'e']] },
    texts: ['string:a', 'tags:b, c', 'pairs:d', 'pairs:e'],
  },
  'a text as its characters': {
    node: { text: Array.from('words'), result: Array.from('a.glb') },
    files: ['output:a.glb'],
    texts: ['text:words'],
  },
  'a list in place of an object': {
    node: [{ filename: 'a.png' }, 'said'],
    files: ['output:a.png'],
    texts: [':said'],
  },
  'boxes and flags': { node: { input_bboxes: [{ x: 1 }], compositor_state_stale: [true], none: [null] } },
  nothing: { node: null },
  'a descriptor without a name': {
    node: { images: [{ filename: '', type: 'output' }, { filename: null }, { subfolder: '', type: 'temp' }] },
    unread: ['images:no file name', 'images:no file name', 'images:no file name'],
  },
  'descriptors out of a list': {
    node: {
      one: { filename: 'a.png' },
      nested: [[{ filename: 'a.png' }]],
      inner: [{ file: { filename: 'a.png' } }],
    },
    unread: ['one:no list element', 'nested:no list element', 'inner:no list element'],
  },
  'paths out of the folders': {
    node: { result: ['/etc/x.glb', '../x.glb', 'https://host/x.glb'] },
    unread: ['result:outside the folders', 'result:outside the folders', 'result:outside the folders'],
  },
  'a number in place of an object': { node: 7, unread: [':no key'] },
};

describe('the shapes of outputs', () => {
  it.each(Object.entries(shapes))('O1: %s', (_, { node, files = [], texts = [], unread = [] }) => {
    const outputs = readOutputs({ '1': node });
    const named = outputFiles(outputs).map(({ type, subfolder, filename }) =>
      [type, [subfolder, filename].filter((part) => part !== '').join('/')].join(':'),
    );
    expect(named).toEqual(files);
    expect(outputTexts(outputs).map(({ key = 'text', text }) => `${key}:${text}`)).toEqual(texts);
    expect(unreadOutputs(outputs).map(({ key, reason }) => `${key}:${reason}`)).toEqual(unread);
  });

  it('O1: says where a preview lies on older engines, and is the same file there', () => {
    const preview = `preview3d_advanced_${hex}.glb`;
    const told = { '1': { result: [preview, null, []] } };
    const listed = {
      '1': { result: [{ filename: preview, subfolder: '', type: 'output', mediaType: '3d' }] },
    };
    expect(outputFiles(told)).toMatchObject([{ type: 'temp', otherType: 'output' }]);
    expect(mergeOutputs(told, listed)).toBe(told);
  });

  it('O1: takes a text and what the jobs API made of it for one', () => {
    const told = { '1': { text: ['to x.glb'] } };
    const listed = {
      '1': { text: [{ filename: 'to x.glb', subfolder: '', type: 'output', mediaType: '3d' }] },
    };
    expect(mergeOutputs(told, listed)).toBe(told);
  });

  it('O1: takes the media type of a name, and what a server tells of a file', () => {
    const metadata = { kind: 'video', width: 8, height: 4, duration: 1.5, fps: 24, frame_count: 36, else: 1 };
    expect(
      outputFiles({ '1': { images: [{ filename: 'a.webm', metadata }], animated: [true] } }),
    ).toMatchObject([
      {
        mediaType: 'video/webm',
        metadata: { kind: 'video', width: 8, height: 4, duration: 1.5, fps: 24, frameCount: 36 },
      },
    ]);
    expect(
      outputFiles({ '1': { images: [{ filename: 'a.png', metadata: { width: 'wide' } }] } })[0],
    ).not.toHaveProperty('metadata');
  });

  it('O2: keeps in the state what can not be read, whichever source told it', () => {
    const executed = (node: string, output: unknown) => ({
      _tag: 'Event' as const,
      type: 'executed' as const,
      promptId: 'p',
      data: { prompt_id: 'p', node, output },
    });
    const running = [executed('1', { images: [{ filename: 3 }] }), executed('2', { images: [] })].reduce(
      (state, event) => stepJobState(state, event as Parameters<typeof stepJobState>[1]),
      initialJobState({ promptId: 'p' }),
    );
    const first = { nodeId: '1', key: 'images', reason: 'no file name', sample: '{"filename":3}' };
    expect(running.unread).toEqual([first]);
    const ended = stepJobState(running, {
      _tag: 'HistoryRead',
      promptId: 'p',
      phase: 'completed',
      isFinal: true,
      outputs: readOutputs({ '1': { images: [{ filename: 3 }] }, '4': true }),
    });
    expect(isTerminal(ended.phase)).toBe(true);
    expect(ended.unread).toEqual([first, { nodeId: '4', key: '', reason: 'no key', sample: 'true' }]);
  });

  it('O3: a count that counts cameras is reached by the list of the same answer', () => {
    const detail = readJobDetail(
      {
        status: 'completed',
        outputs_count: 3,
        outputs: { '1': { result: ['x.glb', camera, [{}]], images: [{ filename: 'a.png' }] } },
      },
      'p',
    );
    if (detail._tag === 'Left') throw new Error(detail.left);
    const { outputs } = detail.right;
    const record = { promptId: 'p', phase: 'completed' as const, outputs, isFinal: true, record: {} };
    const known = { outputs: {}, gapless: true, recordsAppearWhole: false };
    const verdict = (outputsCount: number) =>
      outputsVerdict({ record, detail: { ...detail.right, outputsCount }, steadyMs: 0 }, known);
    expect(verdict(3)).toBe('whole');
    expect(verdict(4)).toBe('trails');
  });
});
