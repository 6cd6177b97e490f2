import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { lastValueFrom } from 'rxjs';
import { expect, it, onTestFinished } from 'vitest';
import { textToImageWorkflow } from '../../src/emulator/index.js';
import { emulated } from '../helpers/emulated.js';
import { describeWith, findProgram } from './programs.js';
import { prompt, samples, workflow as editorFile } from '../workflow/metadata/samples.js';
import { workflowIn } from '../../src/workflow/index.js';

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

/** How ffmpeg makes a second of something, by the end of the file's name. */
const makers: readonly (readonly [ending: string, source: string, options: string])[] = [
  ['mp4', 'testsrc=size=64x64', '-c:v mpeg4 -movflags use_metadata_tags'],
  ['mov', 'testsrc=size=64x64', '-c:v mpeg4 -movflags use_metadata_tags'],
  ['webm', 'testsrc=size=64x64', '-c:v libvpx'],
  ['mkv', 'testsrc=size=64x64', '-c:v mpeg4'],
  ['flac', 'sine', '-c:a flac'],
  ['mp3', 'sine', '-c:a libmp3lame'],
  ['opus', 'sine', '-c:a libopus'],
  ['ogg', 'sine', '-c:a libvorbis'],
];

describeWith('ffmpeg', findProgram('ffmpeg'), (ffmpeg) => {
  it.each(makers)('makes .%s whose workflow is found', async (ending, source, options) => {
    const folder = await mkdtemp(join(tmpdir(), 'metadata-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, `made.${ending}`);
    const texts = ['-metadata', `prompt=${prompt}`, '-metadata', `workflow=${editorFile}`];
    const input = ['-v', 'error', '-f', 'lavfi', '-i', source, '-t', '1'];

    await run(ffmpeg, [...input, ...options.split(' '), ...texts, file]);

    expect(await workflowIn(await readFile(file))).toMatchObject({
      _tag: 'Found',
      prompt: { text: prompt },
      workflow: { text: editorFile },
    });
  });
});

describeWith('ffprobe', findProgram('ffprobe'), (ffprobe) => {
  // It reads no free items, takes the sizes of an unsynchronised ID3v2.3 as those of version 4, and needs sounds in an Ogg file.
  const media = samples.filter(
    ([what, format]) =>
      /^(?:mp4|flac|mp3|wav)$/u.test(format) && !['MP4, free names', 'MP3, ID3v2.3, UTF-16'].includes(what),
  );

  it.each(media)('reads the sample as it is meant: %s', async (_, format, file) => {
    const folder = await mkdtemp(join(tmpdir(), 'metadata-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const path = join(folder, `sample.${format}`);
    await writeFile(path, file);

    const { stdout } = await run(ffprobe, ['-v', 'quiet', '-print_format', 'json', '-show_format', path]);

    const { tags } = (JSON.parse(stdout) as { format: { tags: Readonly<Record<string, string>> } }).format;
    const texts = Object.values(tags).join(' ').replaceAll('\\', '');
    expect(texts).toContain(prompt.replaceAll('\\', ''));
    expect(texts).toContain(editorFile);
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
