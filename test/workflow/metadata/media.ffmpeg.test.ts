import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { describeWith, findProgram } from '../../helpers/describe-with.js';
import { prompt, samples, workflow as editorFile } from './samples.js';
import { workflowIn } from '../../../src/workflow.js';

const run = promisify(execFile);

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
