import type { NodeResult } from '../engine/node-class.js';
import type { Switches } from '../options.js';

/** Puts a saver's videos under `images` with `animated: [true]`, where the switch wants the older key. */
export const nameVideoKey = (result: NodeResult, { videoKey }: Pick<Switches, 'videoKey'>): NodeResult => {
  if (videoKey === 'video' || !result.ui?.['video']) return result;
  const { video, ...others } = result.ui;
  return { ...result, ui: { ...others, images: video, animated: [true] } };
};
