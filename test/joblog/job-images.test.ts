import { describe, expect, it } from 'vitest';
import {
  imageId,
  imageName,
  imagePath,
  imagePlaceOf,
  type JobImages,
  keepImages,
} from '../../src/server/joblog/job-images.js';
import { initialJobState } from '../../src/core/state/initial-job-state.js';
import type { JobState } from '../../src/core/state/job-state.js';

const picture = (index: number, more: object = {}) => ({
  nodeId: '9',
  index,
  mediaType: 'image/png',
  ...more,
});
const stateOf = (...socketImages: readonly ReturnType<typeof picture>[]): JobState => ({
  ...{ ...initialJobState({ workflow: {} }), outputsComplete: true, socketImages },
});
const bytes = new Uint8Array([1, 2]);

/** A store of pictures that takes those of some jobs, and what it got. */
const store = (takes: () => Promise<boolean> = () => Promise.resolve(true)) => {
  const got: unknown[] = [];
  const images: JobImages = {
    put: (...put) => {
      got.push(put);
      return takes();
    },
    get: () => Promise.resolve(undefined),
  };
  return { images, got };
};

describe('the name and place of a picture', () => {
  it('are told by its media type and its number', () => {
    expect(['image/jpeg', 'image/png', 'image/webp'].map((type, at) => imageName(at, type))).toEqual([
      ...['SaveImageWebsocket_1.jpg', 'SaveImageWebsocket_2.png', 'SaveImageWebsocket_3.webp'],
    ]);
  });

  it('are found again by its id, whatever the node is called', () => {
    for (const nodeId of ['9', '9:1', 'a.b', 'a\nb']) {
      const place = { nodeId, index: 12 };
      expect(imagePlaceOf(imageId(place))).toEqual(place);
    }
    expect(imageId({ nodeId: '9', index: 0 })).toBe('websocket.0.9');
    expect(imagePath('job/1', { nodeId: '9/2', index: 3 })).toBe('/jobs/job%2F1/outputs/websocket.3.9%2F2');
  });

  it.each([
    '',
    '0.9',
    'websocket.9',
    'websocket..9',
    'websocket.0.',
    'xwebsocket.0.9',
    'websocket.1234567890.9',
  ])('are none of another output: %j', (id) => {
    expect(imagePlaceOf(id)).toBeUndefined();
  });
});

describe('the pictures of a state', () => {
  it('are kept, and have addresses in place of their bytes', async () => {
    const { images, got } = store();
    const kept = await keepImages(images, 'j', stateOf(picture(0, { bytes })), undefined);
    expect(got).toEqual([['j', picture(0), picture(0, { bytes })]]);
    expect([kept.socketImages, kept.outputsComplete]).toEqual([
      [picture(0, { url: '/jobs/j/outputs/websocket.0.9' })],
      true,
    ]);
  });

  it('are not kept again where they have an address, in this state or the one before', async () => {
    const { images, got } = store();
    const url = 'https://elsewhere.example/a';
    const known = stateOf(picture(1, { url }), picture(2));
    const kept = await keepImages(images, 'j', stateOf(picture(0, { url }), picture(1, { bytes })), known);
    expect(got).toEqual([]);
    expect(kept.socketImages?.map((one) => one.url)).toEqual([
      ...['/jobs/j/outputs/websocket.0.9', '/jobs/j/outputs/websocket.1.9'],
    ]);
    // One that the state before could not keep is kept now, and so is one of another node.
    const other = { ...picture(1, { bytes }), nodeId: '8' };
    await keepImages(images, 'j', stateOf(picture(2, { bytes }), other), known);
    expect(got).toHaveLength(2);
  });

  it.each([
    ['the job is unknown', store(() => Promise.resolve(false)).images, picture(0, { bytes })],
    ['the store fails', store(() => Promise.reject(new Error('full'))).images, picture(0, { bytes })],
    ['there is no store', undefined, picture(0, { bytes })],
    ['there are no bytes', store().images, picture(0)],
  ])('leave the outputs incomplete where %s', async (_, images, one) => {
    const kept = await keepImages(images, 'j', stateOf(one), undefined);
    expect([kept.socketImages, kept.outputsComplete]).toEqual([[picture(0)], false]);
  });

  it('make no outputs complete', async () => {
    const state = { ...stateOf(picture(0, { bytes })), outputsComplete: false };
    expect(await keepImages(store().images, 'j', state, undefined)).toMatchObject({ outputsComplete: false });
    // A state before it that had no pictures keeps none of these.
    const first = await keepImages(store().images, 'j', state, initialJobState({}));
    expect(first.socketImages).toHaveLength(1);
    const none = initialJobState({});
    expect(await keepImages(undefined, 'j', none, undefined)).toBe(none);
  });
});
