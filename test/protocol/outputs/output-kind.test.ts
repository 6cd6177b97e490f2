import { expect, it } from 'vitest';
import { outputKind } from '../../../src/protocol/outputs/output-kind.js';

it.each([
  ['image/png', 'image'],
  ['IMAGE/PNG', 'image'],
  ['video/h264-mp4', 'video'],
  ['audio/flac', 'audio'],
  ['model/gltf-binary', '3d'],
  ['model/gltf+json', '3d'],
  ['text/plain; charset=utf-8', 'text'],
  ['application/json; charset=utf-8', 'text'],
  ['application/ld+json', 'text'],
  ['application/octet-stream', 'other'],
  ['imagery', 'other'],
  ['', 'other'],
] as const)('outputKind sorts %j under %s', (mediaType, kind) => {
  expect(outputKind(mediaType)).toBe(kind);
});
