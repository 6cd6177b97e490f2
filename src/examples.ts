/**
 * Workflows to begin with, in API format and as templates of a gateway; `promptwire demo --list` names them, and the emulator runs them all.
 *
 * @packageDocumentation
 */
import { audio, textToVideo } from './examples/moving.js';
import type { Example, ExampleTemplate } from './examples/example.js';
import { getOrThrow } from './core/protocol/either.js';
import { imageToImage, inpaint, textToImage, upscale } from './examples/pictures.js';
import type { ObjectInfo } from './core/endpoints/object-info.js';
import { template } from './workflow/edit/template.js';

export type { Example, ExampleInput, ExampleResult, ExampleTemplate } from './examples/example.js';

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

/**
 * Makes a template of each example, as `createGateway({ templates })` takes them.
 *
 * With the node classes of the service (`client.rest.objectInfo()`) values are checked by them, else by the types of the workflow's own.
 *
 * @example
 * ```ts
 * import { bearerTokens, createGateway } from 'promptwire/gateway';
 * import { createClient } from 'promptwire';
 * import { exampleTemplates } from 'promptwire/examples';
 *
 * const client = createClient({ baseUrl: 'http://127.0.0.1:8188', dialect: 'local' });
 * const authorize = bearerTokens({ web: 'a-long-random-token' });
 * const gateway = createGateway({ client, authorize, templates: exampleTemplates() });
 * ```
 */
export const exampleTemplates = (
  definitions?: ObjectInfo,
): Readonly<Record<ExampleName, ExampleTemplate>> => {
  const made = Object.entries(exampleWorkflows).map(([name, { workflow, inputs }]) => [
    name,
    getOrThrow(template(workflow, inputs, definitions)),
  ]);
  return Object.fromEntries(made) as Record<ExampleName, ExampleTemplate>;
};
