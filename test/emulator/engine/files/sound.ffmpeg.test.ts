import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { decodeFlac } from '../../../../src/emulator/engine/files/decode-flac.js';
import { describeWith, findProgram } from '../../../helpers/describe-with.js';
import { encodeFlac } from '../../../../src/emulator/engine/files/flac.js';

const run = promisify(execFile);

const folder = async (): Promise<string> => {
  const path = await mkdtemp(join(tmpdir(), 'sound-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
};

/** Two tones with noise, which no predictor knows. */
const channels = [20, 33].map((period) =>
  Float32Array.from({ length: 9_001 }, (_, at) => Math.sin(at / period) * 0.7 + ((at * 7_919) % 101) / 400),
);

describeWith('ffmpeg', findProgram('ffmpeg'), (ffmpeg) => {
  it('reads the FLAC of the emulator to the last sample, with its checksums and texts', async () => {
    const path = join(await folder(), 'sound.flac');
    await writeFile(path, encodeFlac({ sampleRate: 44_100, channels }, { prompt: '{"1":{}}' }));
    const strict = ['-v', 'error', '-err_detect', '+crccheck+explode'];
    const { stdout, stderr } = await run(ffmpeg, [...strict, '-i', path, '-f', 's16le', '-'], {
      encoding: 'buffer',
    });
    expect(stderr.toString()).toBe('');
    const samples = channels.map((track) =>
      Array.from(track, (value) => Math.round(Math.min(1, value) * 32_767)),
    );
    const read = new Int16Array(stdout.buffer.slice(stdout.byteOffset, stdout.byteOffset + stdout.length));
    expect([...read].filter((_, at) => at % 2 === 0)).toEqual(samples[0]);
    expect([...read].filter((_, at) => at % 2 === 1)).toEqual(samples[1]);
    const tags = await run(ffmpeg, ['-v', 'error', '-i', path, '-f', 'ffmetadata', '-']);
    expect(tags.stdout).toContain('prompt={"1":{}}');
  });

  it('writes FLAC of its own ways that the emulator reads as it does', async () => {
    const dir = await folder();
    const raw = join(dir, 'sound.raw');
    await writeFile(
      raw,
      Buffer.from(Int16Array.from({ length: 30_000 }, (_, at) => Math.sin(at / 9) * 9_000).buffer),
    );
    const input = ['-v', 'error', '-f', 's16le', '-ar', '32000', '-ac', '2', '-i', raw];
    for (const level of ['0', '5', '12']) {
      const path = join(dir, `${level}.flac`);
      await run(ffmpeg, [...input, '-compression_level', level, path]);
      const sound = decodeFlac(await readFile(path));
      const { stdout } = await run(ffmpeg, ['-v', 'error', '-i', path, '-f', 's16le', '-'], {
        encoding: 'buffer',
      });
      expect(sound?.sampleRate).toBe(32_000);
      const own = Array.from({ length: 30_000 }, (_, at) =>
        Math.round((sound?.channels[at % 2]?.[Math.floor(at / 2)] ?? 9) * 32_768),
      );
      expect(own).toEqual(Array.from({ length: 30_000 }, (_, at) => stdout.readInt16LE(at * 2)));
    }
  });
});
