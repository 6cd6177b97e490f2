import assert from 'node:assert/strict';
import { fetchWhole } from '../api.js';
import type { ConformanceCase } from '../conformance-case.js';
import { allFiles, filesOf, outputOf, savedPicture, signedUrl } from '../files.js';
import { mediaTypeOf, pngTexts } from '../pictures.js';
import { runToEnd } from '../jobs.js';
import { pictureRun } from '../recordings.js';
import { filledText } from '../shape.js';
import type { Target } from '../target.js';

/** Chapter 8: outputs. */
export const outputCases: readonly ConformanceCase[] = [
  {
    id: '8.1',
    title: 'a file is filename, subfolder and type',
    run: async (target) => {
      const files = await allFiles(target);
      assert.ok(files.length >= 4, 'the run has made files');
      for (const { type } of files)
        assert.ok(['output', 'temp', 'input'].includes(type), `${type} is a type`);
    },
  },
  {
    id: '8.2',
    title: 'a saver of pictures has images of type output',
    run: (target) => expectFiles(target, 'save', 'images', 'output', /^image\//),
  },
  {
    id: '8.3',
    title: 'a preview node has images of type temp',
    run: (target) => expectFiles(target, 'preview', 'images', 'temp', /^image\//),
  },
  {
    id: '8.4',
    title: 'a saver of videos has video',
    run: (target) => expectFiles(target, 'video', 'video', 'output', /^(video\/|riff AVI )/),
  },
  {
    id: '8.5',
    title: 'a saver of sounds has audio',
    run: (target) => expectFiles(target, 'audio', 'audio', 'output', /^(audio\/|riff WAVE)/),
  },
  {
    id: '8.6',
    title: 'a text node has text',
    run: async (target) => {
      const texts = await outputOf(target, (await pictureRun(target)).promptId, 'text', 'text');
      assert.ok(texts.length > 0, 'there is text');
      for (const entry of texts) filledText(entry, 'a text');
    },
  },
  {
    id: '8.7',
    title: 'every file can be fetched',
    run: async (target) => {
      for (const file of await allFiles(target)) {
        const answer = await fetchWhole(await signedUrl(target, file), {});
        assert.equal(answer.status, 200);
        assert.ok(answer.bytes.length > 0, `${file.filename} is not empty`);
      }
    },
  },
  {
    id: '8.8',
    title: 'a saved PNG holds the workflow',
    run: async (target) => {
      const { workflow } = await pictureRun(target);
      const { bytes } = await fetchWhole(await signedUrl(target, await savedPicture(target)), {});
      assert.deepEqual(JSON.parse(pngTexts(bytes)['prompt'] ?? 'null'), workflow);
    },
  },
  {
    id: '8.9',
    title: 'a saved PNG holds extra_pnginfo',
    run: async (target) => {
      const editor = { nodes: [], links: [], version: 0.4 };
      const extra = { extra_pnginfo: { workflow: editor } };
      const { promptId } = await runToEnd(target, target.workflows.picture(), extra);
      const [file] = await filesOf(target, promptId, 'save', 'images');
      assert.ok(file !== undefined);
      const { bytes } = await fetchWhole(await signedUrl(target, file), {});
      assert.deepEqual(JSON.parse(pngTexts(bytes)['workflow'] ?? 'null'), editor);
    },
  },
  {
    id: '8.10',
    title: 'the extension matches the content',
    run: async (target) => {
      for (const file of await allFiles(target)) {
        const { bytes } = await fetchWhole(await signedUrl(target, file), {});
        const extension = file.filename.slice(file.filename.lastIndexOf('.') + 1);
        const expected = extensions[mediaTypeOf(bytes)] ?? [];
        assert.ok(expected.includes(extension), `${file.filename} is ${mediaTypeOf(bytes)}`);
      }
    },
  },
];

const extensions: Readonly<Record<string, readonly string[]>> = {
  'image/png': ['png'],
  'image/jpeg': ['jpg', 'jpeg'],
  'riff WAVE': ['wav'],
  'riff AVI ': ['avi'],
  'riff WEBP': ['webp'],
  'video/mp4': ['mp4', 'm4v', 'mov'],
  'video/webm': ['webm', 'mkv'],
  'audio/flac': ['flac'],
};

const expectFiles = async (
  target: Target,
  nodeId: string,
  key: string,
  type: string,
  mediaType: RegExp,
): Promise<void> => {
  const files = await filesOf(target, (await pictureRun(target)).promptId, nodeId, key);
  assert.ok(files.length > 0, `${nodeId} has files`);
  for (const file of files) {
    assert.equal(file.type, type);
    const { bytes } = await fetchWhole(await signedUrl(target, file), {});
    assert.match(mediaTypeOf(bytes), mediaType);
  }
};
