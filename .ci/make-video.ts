// Runs the emulator's video saver through the client, as a user would, and writes the file to the path that is given.
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lastValueFrom } from 'rxjs';
import { createClient } from '../src/node.js';
import { startEmulator, textToImageWorkflow } from '../src/emulator/index.js';

const target = process.argv[2];
if (target === undefined) throw new Error('usage: make-video.ts FILE');

// The usual graph makes the picture; the video nodes stand in place of its saver.
const workflow = {
  ...textToImageWorkflow({ width: 256, height: 128, steps: 3 }),
  20: { class_type: 'PanFrames', inputs: { image: ['8', 0], frames: 16, width: 128, height: 96 } },
  21: { class_type: 'CreateVideo', inputs: { images: ['20', 0], fps: 8 } },
  22: {
    class_type: 'SaveVideo',
    inputs: { video: ['21', 0], filename_prefix: 'check', format: 'auto', codec: 'auto' },
  },
};

const emulator = await startEmulator({ speed: Infinity });
const client = createClient(emulator);
const folder = await mkdtemp(join(tmpdir(), 'video-'));
const { phase, failure, outputs } = await lastValueFrom(client.run(workflow));
if (phase !== 'completed') throw new Error(`the job ${phase}: ${failure?.exceptionMessage ?? ''}`);
const { files } = await lastValueFrom(client.download(outputs, folder));
const video = files.find(({ mediaType }) => mediaType === 'video/mp4');
if (video === undefined)
  throw new Error(`no video among ${files.map(({ filename }) => filename).join(', ')}`);
await copyFile(video.path, target);
await rm(folder, { recursive: true });
await client.close();
await emulator.close();
