import { encodeMp4 } from '../../../src/emulator/engine/files/mp4.js';
import { encodePng } from '../../../src/emulator/engine/files/png.js';
import { expect, it } from 'vitest';
import { prompt, workflow } from './samples.js';
import { workflowIn } from '../../../src/workflow.js';

const picture = { width: 16, height: 16, rgb: new Uint8Array(768) };
const latin = '{"1": "café"}';
const beyondLatin = '{"1": "猫"}';

it('finds the texts of the pictures and videos that the emulator makes', async () => {
  const text = { prompt, workflow };
  for (const file of [encodePng(picture, { text }), encodeMp4([picture, picture], { text })])
    expect(await workflowIn(file)).toMatchObject({ prompt: { text: prompt }, workflow: { text: workflow } });

  const letters = encodePng(picture, { text: { prompt: latin, workflow: beyondLatin } });
  expect(await workflowIn(letters)).toMatchObject({
    prompt: { text: latin },
    workflow: { text: beyondLatin },
  });
});
