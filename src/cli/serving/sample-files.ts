import type { Client, GeneratedFile, Workflow } from '../../node.js';
import { createClient, orThrow } from '../run-command.js';
import { startEmulator, textToImageWorkflow } from '../../emulator.js';

/** A file that an example names. */
export type SampleName = keyof typeof samples;

/** Whether an input of an example names such a file. */
export const isSample = (value: unknown): value is SampleName =>
  typeof value === 'string' && Object.hasOwn(samples, value);

/** Lets an emulator make one of the files that the examples name. */
export const makeSample = async (client: Pick<Client, 'generate'>, name: SampleName): Promise<Blob> => {
  let made: GeneratedFile | undefined;
  await client.generate(samples[name]).forEach(({ files }) => (made = files?.[0]));
  if (made === undefined) throw new Error('The emulator made no file.');
  return made.blob();
};

/** Gives an emulator that keeps names the files that the examples name, so that each of them runs as it is. */
export const uploadSamples = async (client: Client): Promise<void> => {
  await using emulator = await startEmulator({ speed: Infinity });
  const { baseUrl, wsUrl, apiKey } = emulator;
  await using maker = createClient({ baseUrl, wsUrl, apiKey });
  for (const filename of Object.keys(samples).filter(isSample))
    orThrow(await client.rest.uploadImage({ content: await makeSample(maker, filename), filename })());
};

/** What makes the files of the examples. */
const samples = {
  'example.png': textToImageWorkflow({ width: 256, height: 256, steps: 2 }),
  'mask.png': {
    1: { class_type: 'SolidMask', inputs: { value: 1, width: 256, height: 256 } },
    2: { class_type: 'FeatherMask', inputs: { mask: ['1', 0], left: 96, top: 96, right: 96, bottom: 96 } },
    3: { class_type: 'MaskToImage', inputs: { mask: ['2', 0] } },
    4: { class_type: 'SaveImage', inputs: { images: ['3', 0], filename_prefix: 'example' } },
  },
  'example.flac': {
    1: { class_type: 'ToneAudio', inputs: { frequency: 440, duration: 2, waveform: 'sine' } },
    2: { class_type: 'SaveAudio', inputs: { audio: ['1', 0], filename_prefix: 'example' } },
  },
} satisfies Readonly<Record<string, Workflow>>;
