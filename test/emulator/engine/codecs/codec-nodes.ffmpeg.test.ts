import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import type { Audio, ImageBatch } from '../../../../src/emulator/engine/values.js';
import { createFfmpeg } from '../../../../src/emulator/engine/codecs/ffmpeg.js';
import { describeWith, findProgram } from '../../../helpers/describe-with.js';
import type { NodeContext } from '../../../../src/emulator/engine/node-class.js';
import {
  meanDifference,
  plainPicture,
  recordingContext,
  type RecordingContext,
  runNode,
  testPicture,
} from '../run-node.js';
import { workflowIn } from '../../../../src/workflow.js';

const run = promisify(execFile);

const folder = async (): Promise<string> => {
  const path = await mkdtemp(join(tmpdir(), 'codecs-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
};

/** What an ordinary argument of a program could not carry: 300,000 characters, and every mark that has a meaning somewhere. */
const prompt = {
  '1': {
    class_type: 'Test',
    inputs: { text: `${'long '.repeat(60_000)} = ; # \\ "quoted" <b>]]></metadata>\n ✨` },
  },
};
const workflow = { nodes: [], title: 'a = b; c' };

const contextWith = (ffmpeg: string, files: ReadonlyMap<string, Uint8Array> = new Map()): RecordingContext =>
  recordingContext({ ffmpeg: createFfmpeg(ffmpeg).run, prompt, extraPngInfo: { workflow } }, files);

/** A second of a tone in two channels. */
const tone: Audio = {
  kind: 'AUDIO',
  sampleRate: 44_100,
  channels: [30, 45].map((period) =>
    Float32Array.from({ length: 44_100 }, (_, at) => Math.sin(at / period) * 0.5),
  ),
};

const film: ImageBatch = [
  plainPicture(66, 64, [200, 40, 40]),
  plainPicture(66, 64, [40, 200, 40]),
  plainPicture(66, 64, [40, 40, 200]),
];

/** What ffprobe says of the only file that was saved, and the file. */
const savedFile = async (context: RecordingContext) => {
  const { bytes, extension } = context.saved[0]!;
  const path = join(await folder(), `saved.${extension}`);
  await writeFile(path, bytes);
  const entries = [
    '-show_entries',
    'stream=codec_name,width,height,sample_rate,channels,avg_frame_rate,nb_read_frames',
  ];
  const { stdout } = await run('ffprobe', ['-v', 'error', '-count_frames', ...entries, '-of', 'json', path], {
    maxBuffer: 2 ** 24,
  });
  const { streams } = JSON.parse(stdout) as {
    readonly streams: readonly Readonly<Record<string, unknown>>[];
  };
  return { bytes, extension, streams };
};

/** The graph and the editor's file that a saved file carries are those of the job. */
const carriesWorkflow = async (bytes: Uint8Array): Promise<void> => {
  const found = await workflowIn(bytes);
  expect(found._tag).toBe('Found');
  if (found._tag !== 'Found') return;
  expect(JSON.parse(found.prompt?.text ?? 'null')).toEqual(prompt);
  expect(JSON.parse(found.workflow?.text ?? 'null')).toEqual(workflow);
};

/** Makes a file by ffmpeg itself, of its test sources. */
const sampleOf = async (ffmpeg: string, name: string, options: string): Promise<Uint8Array> => {
  const path = join(await folder(), name);
  await run(ffmpeg, ['-v', 'error', ...options.split(' '), path]);
  return readFile(path);
};

const samples = (batch: unknown): ImageBatch => batch as ImageBatch;

describeWith('ffmpeg', findProgram('ffmpeg'), (ffmpeg) => {
  it.each([
    ['SaveAudioMP3', 'V0', 'mp3', 'mp3', '44100'],
    ['SaveAudioMP3', '128k', 'mp3', 'mp3', '44100'],
    ['SaveAudioOpus', '64k', 'opus', 'opus', '48000'],
  ])('%s saves a sound of quality %s with the workflow', async (name, quality, extension, codec, rate) => {
    const context = contextWith(ffmpeg);
    const result = await runNode(name, { audio: tone, filename_prefix: 'a/b', quality }, context);
    const saved = await savedFile(context);
    expect(saved.extension).toBe(extension);
    expect(saved.streams).toMatchObject([{ codec_name: codec, sample_rate: rate, channels: 2 }]);
    expect(result.ui).toMatchObject({ audio: [{ type: 'output' }] });
    await carriesWorkflow(saved.bytes);

    // The emulator reads it again as a sound of the same length and the same tones.
    const files = new Map([['again', saved.bytes]]);
    const { values } = await runNode('LoadAudio', { audio: 'again' }, contextWith(ffmpeg, files));
    const again = values[0] as Audio;
    expect(Math.abs((again.channels[0]?.length ?? 0) / again.sampleRate - 1)).toBeLessThan(0.1);
    const crossings = again.channels.map(
      (track) => track.filter((sample, at) => at > 0 && sample >= 0 && track[at - 1]! < 0).length,
    );
    expect(Math.abs(crossings[0]! - 44_100 / (60 * Math.PI))).toBeLessThan(6);
    expect(Math.abs(crossings[1]! - 44_100 / (90 * Math.PI))).toBeLessThan(6);
  });

  it.each([
    ['vp9', 'vp9'],
    ['av1', 'av1'],
  ])('SaveWEBM saves a film in %s with the workflow', async (codec, name) => {
    const context = contextWith(ffmpeg);
    const images = film;
    await runNode('SaveWEBM', { images, codec, fps: 12.5, crf: 30, filename_prefix: 'film' }, context);
    const { streams, bytes } = await savedFile(context);
    expect(streams).toMatchObject([
      { codec_name: name, width: 66, height: 64, avg_frame_rate: '25/2', nb_read_frames: '3' },
    ]);
    await carriesWorkflow(bytes);
  });

  it('makes the same bytes of the same graph', async () => {
    const inputs = { images: film, codec: 'vp9', fps: 8, crf: 40 };
    const made = [contextWith(ffmpeg), contextWith(ffmpeg)];
    for (const context of made) await runNode('SaveWEBM', inputs, context);
    expect(made[0]!.saved[0]!.bytes).toEqual(made[1]!.saved[0]!.bytes);
  });

  it('LTXVPreprocess compresses each picture as much as asked, to even sizes', async () => {
    const image = [testPicture(35, 21), plainPicture(35, 21, [90, 120, 30])];
    const through = async (img_compression: number) =>
      samples((await runNode('LTXVPreprocess', { image, img_compression }, contextWith(ffmpeg))).values[0]);
    const [little, much] = [await through(1), await through(51)];
    expect(little.map(({ width, height, rgb }) => [width, height, rgb.length])).toEqual([
      [34, 20, 2040],
      [34, 20, 2040],
    ]);
    const cut = plainPicture(34, 20, [90, 120, 30]);
    expect(meanDifference(little[1]!, cut)).toBeLessThan(4);
    expect(meanDifference(little[0]!, much[0]!)).toBeGreaterThan(10);
  });

  it.each([
    ['clip.mp4', '-c:v libx264 -pix_fmt yuv420p -c:a aac'],
    ['clip.webm', '-c:v libvpx -c:a libvorbis'],
    ['clip.avi', '-c:v mpeg4 -c:a libmp3lame'],
  ])('GetVideoComponents decodes %s', async (name, codecs) => {
    const source = '-f lavfi -i testsrc=size=64x48:rate=12 -f lavfi -i sine=sample_rate=22050 -t 1';
    const files = new Map([[name, await sampleOf(ffmpeg, name, `${source} ${codecs}`)]]);
    const context: NodeContext = contextWith(ffmpeg, files);
    const { values } = await runNode('LoadVideo', { file: name }, context);
    const parts = await runNode('GetVideoComponents', { video: values[0] }, context);
    const [frames, audio, fps] = parts.values as readonly [ImageBatch, Audio, number];
    expect(fps).toBeCloseTo(12, 3);
    expect(frames).toHaveLength(12);
    expect(frames[0]).toMatchObject({ width: 64, height: 48 });
    expect(meanDifference(frames[0]!, frames[11]!)).toBeGreaterThan(1);
    expect(audio.channels).toHaveLength(1);
    expect(Math.abs(audio.channels[0]!.length / audio.sampleRate - 1)).toBeLessThan(0.15);
  });

  it('decodes a silent film, and refuses what holds none', async () => {
    const silent = await sampleOf(ffmpeg, 'x.mp4', '-f lavfi -i testsrc=size=32x32:rate=5 -t 1 -c:v mpeg4');
    const sound = await sampleOf(ffmpeg, 'x.mp3', '-f lavfi -i sine -t 1');
    const list = Buffer.from("ffconcat version 1.0\nfile '/etc/passwd'\n");
    const files = new Map([
      ...[['silent', silent] as const, ['sound', sound] as const, ['list', list] as const],
    ]);
    const context = contextWith(ffmpeg, files);
    const parts = async (file: string) => {
      const { values } = await runNode('LoadVideo', { file }, context);
      return (await runNode('GetVideoComponents', { video: values[0] }, context)).values;
    };
    expect((await parts('silent')).slice(1)).toEqual([null, 5]);
    await expect(parts('sound')).rejects.toMatchObject({
      ...{ exceptionType: 'ValueError', message: "No video stream found in file 'sound'" },
    });
    await expect(parts('list')).rejects.toMatchObject({
      exceptionType: 'av.error.InvalidDataError',
      message: "[Errno 1094995529] Invalid data found when processing input: 'list'",
    });
  });

  it('SaveVideo copies the streams of a loaded file, with its own texts over those of the file', async () => {
    const old = ['-metadata', 'prompt={"old":1}', '-metadata', 'artist=somebody'];
    const path = join(await folder(), 'old.mp4');
    const source = '-f lavfi -i testsrc=size=320x240:rate=10 -f lavfi -i sine -t 1 -c:v libx264 -c:a aac';
    await run(ffmpeg, ['-v', 'error', ...source.split(' '), '-movflags', 'use_metadata_tags', ...old, path]);
    const context = contextWith(ffmpeg, new Map([['old.mp4', await readFile(path)]]));
    const { values } = await runNode('LoadVideo', { file: 'old.mp4' }, context);
    await runNode(
      'SaveVideo',
      { video: values[0], filename_prefix: 'v', format: 'mp4', codec: 'h264' },
      context,
    );
    const { streams, bytes } = await savedFile(context);
    expect(streams).toMatchObject([
      { codec_name: 'h264', width: 320, height: 240, nb_read_frames: '10' },
      { codec_name: 'aac' },
    ]);
    await carriesWorkflow(bytes);
    expect(Buffer.from(bytes).toString('latin1')).toContain('somebody');
  });

  it('SaveVideo encodes a loaded film anew where another codec is wanted', async () => {
    const film = await sampleOf(ffmpeg, 'x.webm', '-f lavfi -i testsrc=size=64x48:rate=5 -t 1 -c:v libvpx');
    const context = contextWith(ffmpeg, new Map([['x.webm', film]]));
    const { values } = await runNode('LoadVideo', { file: 'x.webm' }, context);
    await runNode(
      'SaveVideo',
      { video: values[0], filename_prefix: 'v', format: 'auto', codec: 'h264' },
      context,
    );
    const { streams, bytes } = await savedFile(context);
    expect(streams).toMatchObject([{ codec_name: 'h264', width: 64, height: 48, nb_read_frames: '5' }]);
    await carriesWorkflow(bytes);
  });
});
