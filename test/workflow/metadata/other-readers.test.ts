import { ALL_FORMATS, BufferSource, Input } from 'mediabunny';
import { prompt, samples, workflow } from './samples.js';
import { describe, expect, it } from 'vitest';
import ExifReader from 'exifreader';

// The samples are written from the formats' documents. That other readers find the same texts in them shows that they are
// such files.

const isOf = (formats: readonly string[], except: readonly string[]) =>
  samples.filter(([what, format]) => formats.includes(format) && !except.includes(what));

/** All texts in a value, each with what is encoded in it. */
const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value, ...textsIn(parsed(value))];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

const parsed = (text: string): unknown => {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'string' || (value as { prompt?: unknown }).prompt !== undefined
      ? value
      : undefined;
  } catch {
    return undefined;
  }
};

const holdsBoth = (texts: readonly string[]): boolean =>
  [prompt, workflow].every((text) =>
    texts.some((found) => found.replace(/^(?:prompt|workflow):/u, '') === text || found.includes(` ${text}`)),
  );

describe('the samples are files that other readers read', () => {
  // ExifReader gives no chunks of animated pictures, no comments of JPEG, and comments of users as bytes.
  const pictures = isOf(
    ['png', 'webp', 'jpeg', 'avif'],
    [
      'PNG, animated',
      'JPEG, comment',
      'JPEG, comment of a user',
      'JPEG, comment of a user in UTF-16',
      'AVIF, comment of a user',
    ],
  );

  it.each(pictures)('ExifReader: %s', async (_, __, file) => {
    const tags = await ExifReader.load(new Uint8Array(file).buffer, { async: true, includeUnknown: true });
    expect(textsIn(tags)).toSatisfy(holdsBoth);
  });

  // mediabunny reads no free items, no tags of a live stream or beyond the pictures without an index, no ID3v2.2, and
  // unsynchronised tags in its own way; FFmpeg, which the tests outside ask, reads these tags as they are meant.
  const media = isOf(
    ['mp4', 'matroska', 'flac', 'mp3', 'ogg', 'wav'],
    [
      'MP4, free names',
      'WebM, tags last',
      'WebM, live',
      'MP3, ID3v2.2',
      'MP3, ID3v2.3, UTF-16',
      'MP3, ID3v2.4, UTF-16, frame by frame',
      'MP3, comment',
      'Ogg Vorbis',
    ],
  );

  it.each(media)('mediabunny: %s', async (_, __, file) => {
    const source = new BufferSource(new Uint8Array(file));
    const { raw } = await new Input({ source, formats: ALL_FORMATS }).getMetadataTags();
    expect(textsIn(raw)).toSatisfy(holdsBoth);
  });
});
