import {
  batchImages,
  imageFlip,
  imageInvert,
  imageScale,
  maskToImage,
  panFrames,
  resizeImage,
} from './nodes/images.js';
import { blockBranch, failOnPurpose, passthrough, slowNode } from './nodes/test-nodes.js';
import {
  checkpointLoaderSimple,
  clipTextEncode,
  emptyLatentImage,
  vaeDecode,
  vaeEncode,
} from './nodes/latents.js';
import { conditionings } from './nodes/conditioning.js';
import { createVideo, getVideoComponents, saveVideo } from './nodes/video.js';
import { emptyAudio, toneAudio } from './nodes/audio.js';
import {
  emptyImage,
  getImageSize,
  imageBatch,
  imageCrop,
  imageScaleBy,
  repeatImageBatch,
} from './nodes/core-images.js';
import { imageToMask, invertMask, solidMask } from './nodes/core-masks.js';
import { animations } from './nodes/animations.js';
import { audioOperations } from './nodes/audio-operations.js';
import { basicScheduler } from './nodes/basic-scheduler.js';
import { canny } from './nodes/canny.js';
import { customSampling } from './nodes/custom-sampling.js';
import { emptyLatents } from './nodes/empty-latents.js';
import { filmGuides } from './nodes/film-guides.js';
import { guiders } from './nodes/guiders.js';
import { hookClasses } from './nodes/hooks.js';
import { hookedConditionings } from './nodes/hooked-conditioning.js';
import { hookKeyframes } from './nodes/hook-keyframes.js';
import { imageChannels } from './nodes/image-channels.js';
import { imageCompositing } from './nodes/image-compositing.js';
import { imageFilters } from './nodes/image-filters.js';
import { imageGeometry } from './nodes/image-geometry.js';
import { imageMorphology } from './nodes/image-morphology.js';
import { imageNoise } from './nodes/image-noise.js';
import { imageCompare } from './nodes/image-compare.js';
import { imageQuantize } from './nodes/image-quantize.js';
import { kontextScale } from './nodes/kontext-scale.js';
import { latentFiles } from './nodes/latent-files.js';
import { latentBatches } from './nodes/latent-batches.js';
import { latentOperations } from './nodes/latent-operations.js';
import { latentRegions } from './nodes/latent-regions.js';
import { latentSampling } from './nodes/latent-sampling.js';
import { latentShapes } from './nodes/latent-shapes.js';
import { load3d } from './nodes/load-3d.js';
import { loadAudio, recordAudio } from './nodes/load-audio.js';
import { loadImageSetFromFolder } from './nodes/load-folder.js';
import { loadVideo } from './nodes/load-video.js';
import { ltxvPreprocess } from './nodes/ltxv-preprocess.js';
import { maskOperations } from './nodes/mask-operations.js';
import { modelConditionings } from './nodes/model-conditioning.js';
import { noises } from './nodes/noises.js';
import { rebatching } from './nodes/rebatch.js';
import { samplerObjects } from './nodes/sampler-objects.js';
import { schedules } from './nodes/schedules.js';
import { shapes } from './nodes/shapes.js';
import { soundLatents } from './nodes/sound-latents.js';
import { training } from './nodes/training.js';
import { porterDuff } from './nodes/porter-duff.js';
import { regex } from './nodes/regex.js';
import { imageStitch } from './nodes/image-stitch.js';
import { primitives } from './nodes/primitives.js';
import { strings } from './nodes/strings.js';
import { kSampler, samplerSelector } from './nodes/k-sampler.js';
import { loadImage, loadImageMask, loadImageOutput, webcamCapture } from './nodes/load.js';
import type { NodeClass } from './node-class.js';
import { numberToText, previewAny, previewText, promptStyler, splitWords } from './nodes/texts.js';
import { preview3d, preview3dAdvanced, preview3dAnimation, saveGlb, saveText } from './nodes/models.js';
import { partnerImageNode } from './nodes/partner-image-node.js';
import { saveSounds } from './nodes/save-sounds.js';
import { saveSvg, textToSvg } from './nodes/svg.js';
import { saveWebm } from './nodes/save-webm.js';
import { maskPreview, previewImage, saveAudio, saveImage, saveImageWebsocket } from './nodes/save.js';

const all: readonly NodeClass[] = [
  ...regex,
  ...maskOperations,
  ...latentShapes,
  ...latentOperations,
  ...latentRegions,
  ...latentSampling,
  ...rebatching,
  ...latentBatches,
  ...latentFiles,
  ...imageGeometry,
  ...imageFilters,
  ...imageCompositing,
  ...imageChannels,
  ...emptyLatents,
  ...animations,
  ...audioOperations,
  basicScheduler,
  ...customSampling,
  ...filmGuides,
  ...guiders,
  ...hookClasses,
  ...hookedConditionings,
  ...hookKeyframes,
  ...modelConditionings,
  ...noises,
  ...samplerObjects,
  ...shapes,
  ...soundLatents,
  ...training,
  batchImages,
  blockBranch,
  canny,
  checkpointLoaderSimple,
  clipTextEncode,
  ...conditionings,
  createVideo,
  emptyAudio,
  emptyImage,
  emptyLatentImage,
  failOnPurpose,
  getImageSize,
  getVideoComponents,
  imageBatch,
  imageCrop,
  imageFlip,
  imageInvert,
  imageMorphology,
  imageNoise,
  imageCompare,
  imageQuantize,
  imageScale,
  imageScaleBy,
  imageStitch,
  imageToMask,
  invertMask,
  kSampler,
  kontextScale,
  ...load3d,
  loadAudio,
  loadImage,
  loadImageMask,
  loadImageOutput,
  loadImageSetFromFolder,
  loadVideo,
  ltxvPreprocess,
  maskPreview,
  maskToImage,
  numberToText,
  panFrames,
  partnerImageNode,
  passthrough,
  porterDuff,
  preview3d,
  preview3dAdvanced,
  preview3dAnimation,
  previewAny,
  previewImage,
  previewText,
  ...primitives,
  promptStyler,
  recordAudio,
  repeatImageBatch,
  resizeImage,
  samplerSelector,
  ...schedules,
  saveAudio,
  saveGlb,
  saveImage,
  saveImageWebsocket,
  ...saveSounds,
  saveSvg,
  saveText,
  saveVideo,
  saveWebm,
  slowNode,
  solidMask,
  splitWords,
  ...strings,
  textToSvg,
  toneAudio,
  vaeDecode,
  vaeEncode,
  webcamCapture,
];

/** Every kind of node that the emulator runs, by class type. */
export const nodeClasses: ReadonlyMap<string, NodeClass> = new Map(
  all.map((nodeClass) => [nodeClass.definition({ inputs: [] }).name, nodeClass]),
);
