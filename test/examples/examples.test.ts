import { describe, expect, it } from 'vitest';
import { emulated, type Emulated, picture } from '../helpers/emulated.js';
import { type ExampleName, exampleTemplates, exampleWorkflows } from '../../src/examples.js';
import { getOrThrow } from '../../src/core/protocol/either.js';
import { lastValueFrom } from 'rxjs';
import { toPromise } from '../../src/core/interop/to-promise.js';
import type { Workflow } from '../../src/index.js';

/** Makes a file of the service by a job, and gives its name as an input. */
const uploaded = async ({ client }: Emulated, workflow: Workflow, filename: string): Promise<string> => {
  const { files = [] } = await lastValueFrom(client.generate(workflow));
  const { name } = await toPromise(client.rest.uploadImage({ content: await files[0]!.blob(), filename }));
  return name;
};

const tone: Workflow = {
  1: { class_type: 'ToneAudio', inputs: { frequency: 440, duration: 1.5, waveform: 'sine' } },
  2: { class_type: 'SaveAudio', inputs: { audio: ['1', 0], filename_prefix: 'tone' } },
};

/** What each example is given beside what it has. */
const valuesOf = async (own: Emulated): Promise<Readonly<Record<ExampleName, object>>> => {
  const small = { prompt: 'a lighthouse', steps: 2 };
  const photo = await uploaded(own, picture(), 'photo.png');
  const sound = await uploaded(own, tone, 'tone.flac');
  return {
    'text-to-image': { ...small, width: 64, height: 64, seed: 7 },
    'image-to-image': { ...small, picture: photo, strength: 0.5 },
    inpaint: { ...small, picture: photo, mask: photo },
    upscale: { picture: photo, factor: 1.5 },
    'text-to-video': { ...small, width: 64, height: 64, frames: 5, fps: 8 },
    audio: { recording: sound, start: 0.2, seconds: 0.5, volume: -3 },
  };
};

const made: Readonly<Record<ExampleName, string>> = {
  'text-to-image': 'image/png',
  'image-to-image': 'image/png',
  inpaint: 'image/png',
  upscale: 'image/png',
  'text-to-video': 'video/mp4',
  audio: expect.stringMatching(/^audio\//u) as string,
};

describe('the examples', () => {
  it('run as templates by the emulator, and make what they say', async () => {
    const own = await emulated();
    const definitions = await toPromise(own.client.rest.objectInfo());
    const templates = exampleTemplates(definitions);
    const values = await valuesOf(own);
    const types: Partial<Record<ExampleName, string | undefined>> = {};
    for (const name of Object.keys(made) as ExampleName[]) {
      const workflow = getOrThrow(templates[name]({ ...values[name] }));
      const { phase, files = [], outputsByTitle } = await lastValueFrom(own.client.generate(workflow));
      expect([name, phase]).toEqual([name, 'completed']);
      expect(outputsByTitle?.['Save']).toEqual(files);
      types[name] = files[0]?.mediaType;
    }
    expect(types).toEqual(made);
  });

  it.each(Object.entries(exampleWorkflows))(
    '%s has a readable title for each node, once',
    (_, { workflow }) => {
      const titles = Object.values(workflow).map(({ _meta }) => _meta?.title);
      expect(titles).not.toContain(undefined);
      expect(new Set(titles).size).toBe(titles.length);
    },
  );

  it('ask for what they need, and refuse what they do not know', () => {
    const missing = exampleTemplates()['inpaint']({ prompt: 'a lighthouse', colour: 'red' });
    expect(missing).toMatchObject({ _tag: 'Left', left: { _tag: 'InvalidInputs' } });
    const problems = missing._tag === 'Left' ? missing.left.problems.map(({ name }) => name) : [];
    expect(problems.toSorted()).toEqual(['colour', 'mask', 'picture']);
  });
});
