import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createFfmpeg, type FfmpegTask } from '../../../../src/emulator/engine/codecs/ffmpeg.js';
import { emulated } from '../../../helpers/emulated.js';
import { lastValueFrom } from 'rxjs';
import { recordingContext, runNode, testPicture } from '../run-node.js';

/** A program of some lines of shell, in the place of ffmpeg. */
const programOf = async (...lines: readonly string[]): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'program-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'program');
  await writeFile(path, ['#!/bin/sh', ...lines, ''].join('\n'));
  await chmod(path, 0o755);
  return path;
};

const task: FfmpegTask<'made'> = {
  reads: { input: Buffer.from('what it reads') },
  from: ['-i', 'input'],
  makes: { made: ['-c', 'copy'] },
};

/** Hands out the folder of its run by a file, then runs on. */
const endless = (told: string): readonly string[] => [
  `pwd > '${told}.part'`,
  `mv '${told}.part' '${told}'`,
  'exec sleep 600',
];

describe('a run of ffmpeg', () => {
  it('has a folder of its own, plain arguments and none of the secrets of the process', async () => {
    process.env['PROMPTWIRE_SECRET_OF_A_TEST'] = 'secret';
    onTestFinished(() => {
      delete process.env['PROMPTWIRE_SECRET_OF_A_TEST'];
    });
    const program = await programOf('{ pwd; ls; cat input; echo; echo "$@"; env; } > made');
    const { made } = await createFfmpeg(program).run(task);
    const [folder = '', ...lines] = Buffer.from(made).toString().split('\n');
    expect(lines.slice(0, 4)).toEqual([
      ...['input', 'made', 'what it reads'],
      '-hide_banner -nostdin -v error -y -i input -c copy -fflags +bitexact -flags:v +bitexact -flags:a +bitexact -fs 134217729 made',
    ]);
    expect(lines.join('\n')).not.toContain('secret');
    expect(existsSync(folder)).toBe(false);
  });

  it.each([
    ['is missing', '/no/such/program', { reason: 'missing' }],
    ['is switched off', false, { reason: 'missing', message: 'the option ffmpeg is false' }],
  ])('rejects where the program %s', async (_, program, error) => {
    await expect(createFfmpeg(program as string | false).run(task)).rejects.toMatchObject(error);
  });

  it('rejects with the last words of one that fails', async () => {
    const program = await programOf('echo first >&2', 'echo last >&2', 'exit 3');
    await expect(createFfmpeg(program).run(task)).rejects.toMatchObject({
      reason: 'failed',
      message: 'last',
    });
  });

  it('kills one that takes too long', async () => {
    const program = await programOf('exec sleep 600');
    await expect(createFfmpeg(program, 1).run(task)).rejects.toMatchObject({
      ...{ reason: 'too slow', message: 'ffmpeg took more than 0.001 s' },
    });
  });

  it('ends with its job or its emulator, and leaves no folder', async () => {
    for (const endedBy of ['close', 'signal'] as const) {
      const told = join(await mkdtemp(join(tmpdir(), 'told-')), 'folder');
      onTestFinished(() => rm(join(told, '..'), { recursive: true, force: true }));
      const ffmpeg = createFfmpeg(await programOf(...endless(told)));
      const cancelled = new AbortController();
      const run = expect(ffmpeg.run(task, cancelled.signal)).rejects.toMatchObject({ reason: 'failed' });
      await expect.poll(() => existsSync(told)).toBe(true);
      if (endedBy === 'close') await ffmpeg.close();
      else cancelled.abort();
      await run;
      expect(existsSync(readFileSync(told, 'utf8').trim())).toBe(false);
      await expect(ffmpeg.close()).resolves.toBeUndefined();
    }
  });
});

describe('a node that needs a codec', () => {
  const sound = { kind: 'AUDIO', sampleRate: 8_000, channels: [new Float32Array(80)] };
  const files = new Map([['clip.mov', new Uint8Array(8)]]);
  const videoOf = async (): Promise<unknown> =>
    (await runNode('LoadVideo', { file: 'clip.mov' }, recordingContext({}, files))).values[0];

  it.each([
    ['SaveAudioMP3', { audio: sound, quality: 'V0' }, 'libmp3lame'],
    ['SaveAudioOpus', { audio: sound, quality: '96k' }, 'libopus'],
    ['SaveWEBM', { images: [testPicture(16, 16)], codec: 'vp9', fps: 8, crf: 32 }, 'libvpx-vp9'],
    ['SaveWEBM', { images: [testPicture(16, 16)], codec: 'av1', fps: 8, crf: 32 }, 'libsvtav1'],
    ['LTXVPreprocess', { image: [testPicture(16, 16)], img_compression: 35 }, 'libx264'],
  ])(
    '%s fails without ffmpeg as the engine does without the codec, and says what to install: %j',
    async (name, inputs, encoder) => {
      await expect(runNode(name, inputs)).rejects.toMatchObject({
        exceptionType: 'av.codec.codec.UnknownCodecError',
        message: expect.stringMatching(
          new RegExp(`^${encoder}: the emulator has no ffmpeg .*Install ffmpeg .* option ffmpeg`, 'u'),
        ) as string,
      });
    },
  );

  it.each([
    ['GetVideoComponents', async () => ({ video: await videoOf() })],
    ['SaveVideo', async () => ({ video: await videoOf(), format: 'auto', codec: 'auto' })],
    ['LoadAudio', () => ({ audio: 'clip.mov' })],
    ['RecordAudio', () => ({ audio: 'clip.mov' })],
  ])("%s names the file that it can't decode", async (name, inputs) => {
    await expect(runNode(name, await inputs(), recordingContext({}, files))).rejects.toMatchObject({
      exceptionType: 'av.error.DecoderNotFoundError',
      message: expect.stringContaining("Decoder not found: 'clip.mov'; the emulator has no ffmpeg") as string,
    });
  });

  it('needs none where it has nothing to do', async () => {
    const image = [testPicture(15, 9)];
    expect((await runNode('LTXVPreprocess', { image, img_compression: 0 })).values).toEqual([image]);
  });

  it('fails its job alone: the emulator goes on, and tells the reason', async () => {
    const { client } = await emulated({ ffmpeg: false });
    const inputs = { audio: ['1', 0], filename_prefix: 'x', quality: '128k' };
    const tone = { class_type: 'ToneAudio', inputs: { frequency: 440, duration: 0.1, waveform: 'sine' } };
    const last = await lastValueFrom(client.run({ 1: tone, 2: { class_type: 'SaveAudioMP3', inputs } }));
    expect(last).toMatchObject({
      phase: 'failed',
      failure: { exceptionType: 'av.codec.codec.UnknownCodecError', nodeId: '2' },
    });
    const flac = { class_type: 'SaveAudio', inputs: { audio: ['1', 0], filename_prefix: 'x' } };
    expect((await lastValueFrom(client.run({ 1: tone, 2: flac }))).phase).toBe('completed');
  });
});
