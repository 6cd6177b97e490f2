import assert from 'node:assert/strict';
import type { ConformanceCase } from '../conformance-case.js';
import { readPlainPreview, readPreview, readText, readTextOfJob } from '../frames.js';
import { eventsOf, framesOf, type Message } from '../live-socket.js';
import { assertWholePicture, mediaTypeOf } from '../pictures.js';
import { pictureRun } from '../recordings.js';
import { filledText, text } from '../shape.js';

/** Chapter 7: binary frames, and which of them a socket gets. */
export const binaryFrameCases: readonly ConformanceCase[] = [
  {
    id: '5.5',
    rows: ['binary:4', 'binary:1'],
    title: 'previews follow the handshake',
    run: async (target) => {
      const { messages, plainMessages } = await pictureRun(target);
      assert.deepEqual(previewTypes(messages), [4]);
      assert.deepEqual(previewTypes(plainMessages), [1]);
    },
  },
  {
    id: '7.1',
    title: 'a frame begins with its type',
    run: async (target) => {
      const { messages, plainMessages } = await pictureRun(target);
      const frames = [...messages, ...plainMessages].filter((message) => message.kind === 'binary');
      assert.ok(frames.length > 0, 'frames come');
      for (const { bytes } of frames)
        assert.ok([1, 3, 4].includes(bytes.readUInt32BE(0)), 'the type is 1, 3 or 4');
    },
  },
  {
    id: '7.2',
    rows: ['binary:1'],
    title: 'type 1 is a code and a picture of that kind',
    run: async (target) => {
      const { plainMessages } = await pictureRun(target);
      for (const frame of some(plainMessages, 1)) {
        const { code, image } = readPlainPreview(frame);
        assert.ok(code === 1 || code === 2, `${code} is an image code`);
        assertWholePicture(image, code === 1 ? 'image/jpeg' : 'image/png', 'the preview');
      }
    },
  },
  {
    id: '7.3',
    rows: ['binary:3'],
    title: 'type 3 is a node id and a text',
    run: async (target) => {
      const { plainMessages, workflow } = await pictureRun(target);
      for (const frame of some(plainMessages, 3)) {
        const { nodeId, text: progressText } = readText(frame);
        assert.ok(Object.hasOwn(workflow, nodeId), `${nodeId} is in the workflow`);
        filledText(progressText, 'text');
      }
    },
  },
  {
    id: '7.4',
    rows: ['binary:3'],
    title: 'type 3 has a prompt id where both sides announced it',
    run: async (target) => {
      const { promptId, messages, workflow } = await pictureRun(target);
      const announced = eventsOf(messages, 'feature_flags').some(
        ({ data }) => data['supports_progress_text_metadata'] === true,
      );
      for (const frame of some(messages, 3)) {
        const read = announced ? readTextOfJob(frame) : readText(frame);
        assert.equal(read.promptId, announced ? promptId : undefined);
        assert.ok(Object.hasOwn(workflow, read.nodeId), `${read.nodeId} is in the workflow`);
        filledText(read.text, 'text');
      }
    },
  },
  {
    id: '7.5',
    rows: ['binary:4'],
    title: 'type 4 says job, node and kind',
    run: async (target) => {
      const { promptId, messages, workflow } = await pictureRun(target);
      for (const frame of some(messages, 4)) {
        const { metadata } = readPreview(frame);
        assert.equal(metadata['prompt_id'], promptId);
        assert.ok(
          Object.hasOwn(workflow, text(metadata['node_id'], 'node_id')),
          'the node is in the workflow',
        );
        filledText(metadata['display_node_id'], 'display_node_id');
        filledText(metadata['real_node_id'], 'real_node_id');
        if (metadata['parent_node_id'] !== null) text(metadata['parent_node_id'], 'parent_node_id');
        assert.ok(['image/jpeg', 'image/png'].includes(text(metadata['image_type'], 'image_type')));
      }
    },
  },
  {
    id: '7.6',
    rows: ['binary:4'],
    title: 'type 4 holds a picture of that kind',
    run: async (target) => {
      const { messages } = await pictureRun(target);
      for (const frame of some(messages, 4)) {
        const { metadata, image } = readPreview(frame);
        assert.equal(mediaTypeOf(image), metadata['image_type']);
        assertWholePicture(image, mediaTypeOf(image), 'the preview');
      }
    },
  },
];

const some = (messages: readonly Message[], type: number): readonly Buffer[] => {
  const frames = framesOf(messages, type);
  assert.ok(frames.length > 0, `frames of type ${type} come`);
  return frames;
};

const previewTypes = (messages: readonly Message[]): readonly number[] => [
  ...new Set(
    messages
      .filter((message) => message.kind === 'binary')
      .map(({ bytes }) => bytes.readUInt32BE(0))
      .filter((type) => type !== 3),
  ),
];
