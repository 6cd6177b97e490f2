import type { NodeClass } from './node-class.js';
import { batchImages } from './nodes/batch-images.js';
import { blockBranch } from './nodes/block-branch.js';
import { checkpointLoaderSimple } from './nodes/checkpoint-loader-simple.js';
import { clipTextEncode } from './nodes/clip-text-encode.js';
import { createVideo } from './nodes/create-video.js';
import { emptyAudio } from './nodes/empty-audio.js';
import { emptyLatentImage } from './nodes/empty-latent-image.js';
import { failOnPurpose } from './nodes/fail-on-purpose.js';
import { imageFlip } from './nodes/image-flip.js';
import { imageInvert } from './nodes/image-invert.js';
import { imageScale } from './nodes/image-scale.js';
import { kSampler } from './nodes/k-sampler.js';
import { loadImage } from './nodes/load-image.js';
import { loadImageMask } from './nodes/load-image-mask.js';
import { maskToImage } from './nodes/mask-to-image.js';
import { numberToText } from './nodes/number-to-text.js';
import { panFrames } from './nodes/pan-frames.js';
import { partnerImageNode } from './nodes/partner-image-node.js';
import { passthrough } from './nodes/passthrough.js';
import { previewImage } from './nodes/preview-image.js';
import { previewText } from './nodes/preview-text.js';
import { promptStyler } from './nodes/prompt-styler.js';
import { resizeImage } from './nodes/resize-image.js';
import { samplerSelector } from './nodes/sampler-selector.js';
import { saveAudio } from './nodes/save-audio.js';
import { saveImage } from './nodes/save-image.js';
import { saveImageWebsocket } from './nodes/save-image-websocket.js';
import { saveVideo } from './nodes/save-video.js';
import { slowNode } from './nodes/slow-node.js';
import { splitWords } from './nodes/split-words.js';
import { toneAudio } from './nodes/tone-audio.js';
import { vaeDecode } from './nodes/vae-decode.js';
import { vaeEncode } from './nodes/vae-encode.js';

const all: readonly NodeClass[] = [
  batchImages,
  blockBranch,
  checkpointLoaderSimple,
  clipTextEncode,
  createVideo,
  emptyAudio,
  emptyLatentImage,
  failOnPurpose,
  imageFlip,
  imageInvert,
  imageScale,
  kSampler,
  loadImage,
  loadImageMask,
  maskToImage,
  numberToText,
  panFrames,
  partnerImageNode,
  passthrough,
  previewImage,
  previewText,
  promptStyler,
  resizeImage,
  samplerSelector,
  saveAudio,
  saveImage,
  saveImageWebsocket,
  saveVideo,
  slowNode,
  splitWords,
  toneAudio,
  vaeDecode,
  vaeEncode,
];

/** Every kind of node that the emulator runs, by class type. */
export const nodeClasses: ReadonlyMap<string, NodeClass> = new Map(
  all.map((nodeClass) => [nodeClass.definition({ inputs: [] }).name, nodeClass]),
);
