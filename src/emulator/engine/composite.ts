import { fittedMask } from './mask-shapes.js';
import type { Mask } from './values.js';
import type { Picture } from './node-class.js';
import { resize } from './resize.js';

/** Where {@link composite} puts a picture. */
export interface CompositeOptions {
  readonly left: number;
  readonly top: number;
  /** Whether the picture takes the size of the one below it first. */
  readonly resizes: boolean;
  /** Where the picture holds, and how much of it; everywhere without. */
  readonly mask: Mask | undefined;
}

/** Puts a picture on another one where the mask holds, as far as it reaches into it. */
export const composite = (under: Picture, given: Picture, options: CompositeOptions): Picture => {
  const { width, height } = under;
  const over = options.resizes ? resize(given, { width, height }) : given;
  const [left, top] = [Math.min(options.left, width), Math.min(options.top, height)];
  const held = options.mask && fittedMask(options.mask, over.width, over.height);
  const rgb = under.rgb.slice();
  for (let y = top; y < Math.min(height, top + over.height); y += 1)
    for (let x = left; x < Math.min(width, left + over.width); x += 1) {
      const from = (y - top) * over.width + x - left;
      const part = (held?.[from] ?? 255) / 255;
      for (let channel = 0; channel < 3; channel += 1) {
        const at = (y * width + x) * 3 + channel;
        rgb[at] = Math.round((over.rgb[from * 3 + channel] ?? 0) * part + (under.rgb[at] ?? 0) * (1 - part));
      }
    }
  return { width, height, rgb };
};
