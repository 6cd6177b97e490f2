/** What {@link textToImageWorkflow} fills in; everything has a default. */
export interface TextToImageOptions {
  /** What the picture shows. Default: a sunset over the ocean. */
  readonly prompt?: string;
  /** What the picture should not show. */
  readonly negative?: string;
  /** The seed of the sampler; the same one makes the same picture. Default: 42. */
  readonly seed?: number;
  /** The steps of the sampler, each with a `progress` event. Default: 20. */
  readonly steps?: number;
  /** In pixels. Default: 512. */
  readonly width?: number;
  /** In pixels. Default: 512. */
  readonly height?: number;
}

/** A node of a workflow in the API format. */
export interface WorkflowNode {
  /** The name of its class, such as `KSampler`. */
  readonly class_type: string;
  /** Values, and links as `[node id, slot]`, by the name of the input. */
  readonly inputs: Readonly<Record<string, unknown>>;
  /** The title that an editor shows. */
  readonly _meta: { readonly title: string };
}

/** Makes the usual text-to-image workflow in the API format; it saves the picture and shows it as well. */
export const textToImageWorkflow = ({
  prompt = 'a sunset over the ocean, islands in the distance',
  negative = 'blurry',
  seed = 42,
  steps = 20,
  width = 512,
  height = 512,
}: TextToImageOptions = {}): Record<string, WorkflowNode> => ({
  '3': node('KSampler', 'Sampler', {
    seed,
    steps,
    cfg: 7,
    sampler_name: 'euler',
    scheduler: 'normal',
    denoise: 1,
    model: ['4', 0],
    positive: ['6', 0],
    negative: ['7', 0],
    latent_image: ['5', 0],
  }),
  '4': node('CheckpointLoaderSimple', 'Checkpoint', { ckpt_name: 'scenery-v1.safetensors' }),
  '5': node('EmptyLatentImage', 'Size', { width, height, batch_size: 1 }),
  '6': node('CLIPTextEncode', 'Prompt', { text: prompt, clip: ['4', 1] }),
  '7': node('CLIPTextEncode', 'Negative prompt', { text: negative, clip: ['4', 1] }),
  '8': node('VAEDecode', 'Decode', { samples: ['3', 0], vae: ['4', 2] }),
  '9': node('SaveImage', 'Save', { images: ['8', 0], filename_prefix: 'promptwire' }),
  '10': node('PreviewImage', 'Preview', { images: ['8', 0] }),
});

const node = (class_type: string, title: string, inputs: WorkflowNode['inputs']): WorkflowNode => ({
  class_type,
  inputs,
  _meta: { title },
});
