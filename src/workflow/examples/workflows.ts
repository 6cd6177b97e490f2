import { audio, textToVideo } from './moving.js';
import type { Example } from './example.js';
import { imageToImage, inpaint, textToImage, upscale } from './pictures.js';

/** The name of an example. */
export type ExampleName =
  'text-to-image' | 'image-to-image' | 'inpaint' | 'upscale' | 'text-to-video' | 'audio';

/**
 * The examples by name. Models and file names are those of the emulator: set your own.
 *
 * @example
 * ```ts
 * import { createClient } from 'promptwire/promises';
 * import { exampleWorkflows } from 'promptwire/examples';
 *
 * const paint = async (prompt: string): Promise<void> => {
 *   await using client = createClient({ baseUrl: 'http://127.0.0.1:8188', dialect: 'local' });
 *   const inputs = { 'Prompt.text': prompt, 'Checkpoint.ckpt_name': 'my-model.safetensors' };
 *   await client.generate(exampleWorkflows['text-to-image'].workflow, { inputs, into: 'outputs' });
 * };
 * ```
 */
export const exampleWorkflows: Readonly<Record<ExampleName, Example>> = {
  'text-to-image': textToImage,
  'image-to-image': imageToImage,
  inpaint,
  upscale,
  'text-to-video': textToVideo,
  audio,
};
