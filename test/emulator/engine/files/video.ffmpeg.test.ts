import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { lastValueFrom } from 'rxjs';
import { expect, it, onTestFinished } from 'vitest';
import { textToImageWorkflow } from '../../../../src/emulator.js';
import { describeWith, findProgram } from '../../../helpers/describe-with.js';
import { emulated } from '../../../helpers/emulated.js';

const run = promisify(execFile);

// The usual graph makes the picture; the video nodes stand in place of its saver.
const workflow = {
  ...textToImageWorkflow({ width: 256, height: 128, steps: 3 }),
  20: { class_type: 'PanFrames', inputs: { image: ['8', 0], frames: 16 } },
  21: { class_type: 'CreateVideo', inputs: { images: ['20', 0], fps: 8 } },
  22: {
    class_type: 'SaveVideo',
    inputs: { video: ['21', 0], filename_prefix: 'check', format: 'auto', codec: 'auto' },
  },
};

/** Runs the graph as a user would, and resolves with the path of its video. */
const makeVideo = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'video-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { client } = await emulated();
  const { outputs } = await lastValueFrom(client.run(workflow));
  const { files } = await lastValueFrom(client.download(outputs, folder));
  const video = files.find(({ mediaType }) => mediaType === 'video/mp4');
  if (video === undefined) throw new Error(`no video among ${files.length} files`);
  return video.path;
};

describeWith('ffmpeg', findProgram('ffmpeg'), (ffmpeg) => {
  it('plays the video of the emulator from its first frame to its last', async () => {
    const video = await makeVideo();
    const progress = ['-v', 'error', '-i', video, '-f', 'null', '-progress', '-', '-'];

    const { stdout, stderr } = await run(ffmpeg, progress);

    expect(stderr).toBe('');
    expect(stdout).toMatch(/^frame=16\n(?:.*\n)*progress=end$/mu);
  });
});

describeWith('ffprobe', findProgram('ffprobe'), (ffprobe) => {
  it('finds H.264 of the right size in the video of the emulator', async () => {
    const video = await makeVideo();
    const entries = ['-show_entries', 'stream=codec_name,width,height', '-of', 'csv=p=0'];

    const { stdout } = await run(ffprobe, ['-v', 'error', '-select_streams', 'v:0', ...entries, video]);

    expect(stdout.trim()).toBe('h264,192,128');
  });
});
