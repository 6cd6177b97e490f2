import { describe, expect, it } from 'vitest';
import type { Audio } from '../../../../src/emulator/engine/values.js';
import { recordingContext, runNode, testPicture } from '../run-node.js';

const audioOf = async (classType: string, inputs: Readonly<Record<string, unknown>>): Promise<Audio> =>
  (await runNode(classType, inputs)).values[0] as Audio;

describe('SaveVideo', () => {
  const save = async (width: number, height: number, frames: number) => {
    const context = recordingContext();
    const images = Array.from({ length: frames }, (_, index) => testPicture(width, height, index));
    const { values } = await runNode('CreateVideo', { images, fps: 12 });
    const result = await runNode('SaveVideo', { video: values[0], filename_prefix: 'video/clip' }, context);
    const bytes = Buffer.from(context.saved[0]!.bytes);
    const track = bytes.indexOf('tkhd', 0, 'latin1');
    return {
      context,
      result,
      bytes,
      size: [bytes.readUInt16BE(track + 80), bytes.readUInt16BE(track + 84)],
      count: bytes.readUInt32BE(bytes.indexOf('stsz', 0, 'latin1') + 12),
    };
  };

  it('saves the batch as one MP4 file and tells of it under video', async () => {
    const { context, result, bytes, count } = await save(32, 16, 3);
    expect(bytes.toString('latin1', 4, 8)).toBe('ftyp');
    expect(context.saved.map(({ type, extension, prefix }) => [type, extension, prefix])).toEqual([
      ['output', 'mp4', 'video/clip'],
    ]);
    expect(result.ui).toEqual({ video: [{ filename: 'video/clip_1.mp4', subfolder: '', type: 'output' }] });
    expect(count).toBe(3);
    expect(context.steps.at(-1)).toEqual([3, 3]);
  });

  it.each([
    [32, 16, [32, 16]],
    [31, 17, [32, 18]],
    [600, 300, [256, 128]],
    [1, 1, [2, 2]],
  ])('makes frames of %i × %i even and at most 256 pixels wide and high', async (width, height, size) => {
    expect((await save(width, height, 1)).size).toEqual(size);
  });

  it('carries the graph', async () => {
    const { bytes, context } = await save(16, 16, 1);
    expect(bytes.toString('utf8')).toContain(JSON.stringify(context.prompt));
  });
});

describe('EmptyAudio', () => {
  it('makes silence of the length, rate and channels that were asked for', async () => {
    const audio = await audioOf('EmptyAudio', { duration: 0.5, sample_rate: 8000, channels: 1 });
    expect(audio).toEqual({ kind: 'AUDIO', sampleRate: 8000, channels: [new Float32Array(4000)] });
    const none = { duration: 0, sample_rate: 44_100, channels: 2 };
    expect((await audioOf('EmptyAudio', none)).channels.map(({ length }) => length)).toEqual([0, 0]);
  });
});

describe('ToneAudio', () => {
  const crossings = ({ channels: [track] }: Audio): number =>
    track!.filter((sample, index) => index > 0 && sample >= 0 && track![index - 1]! < 0).length;

  it.each(['sine', 'square', 'triangle'])(
    'swings as often as the frequency says, as a %s',
    async (waveform) => {
      const audio = await audioOf('ToneAudio', { frequency: 200, duration: 0.5, waveform });
      expect(Math.abs(crossings(audio) - 100)).toBeLessThanOrEqual(1);
      expect(Math.max(...audio.channels[0]!.map(Math.abs))).toBeGreaterThan(0.25);
      expect(Math.max(...audio.channels[0]!.map(Math.abs))).toBeLessThanOrEqual(0.5);
    },
  );

  it('begins and ends softly', async () => {
    const track = (await audioOf('ToneAudio', { frequency: 440, duration: 0.2, waveform: 'square' }))
      .channels[0]!;
    expect(Math.abs(track[1]!)).toBeLessThan(0.01);
    expect(Math.abs(track.at(-1)!)).toBeLessThan(0.01);
  });
});

describe('SaveAudio', () => {
  it('saves a FLAC file with the graph and tells of it under audio', async () => {
    const context = recordingContext();
    const audio = await audioOf('ToneAudio', { frequency: 440, duration: 0.1, waveform: 'sine' });
    const result = await runNode('SaveAudio', { audio, filename_prefix: 'audio/tone' }, context);
    const [file] = context.saved;
    expect(Buffer.from(file!.bytes).toString('latin1', 0, 4)).toBe('fLaC');
    expect(Buffer.from(file!.bytes).toString('latin1')).toContain('prompt={');
    expect(result.ui).toEqual({ audio: [{ filename: 'audio/tone_1.flac', subfolder: '', type: 'output' }] });
  });
});
