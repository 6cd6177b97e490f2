import * as media from './write-media.js';
import * as pictures from './write-pictures.js';

/** The two texts that every sample carries; the seed is beyond 2^53, and a letter beyond ASCII is escaped, as Python does. */
export const prompt =
  '{"3": {"inputs": {"seed": 18446744073709551615, "text": "caf\\u00e9: a=b"}, "class_type": "KSampler"}}';
export const workflow = '{"nodes": [{"id": 3, "type": "KSampler"}], "links": [], "version": 0.4}';

const both = { prompt, workflow };
const capitals = { PROMPT: prompt, WORKFLOW: workflow };
const wrapped = `{"prompt": ${JSON.stringify(prompt)}, "workflow": ${workflow}}`;
const labels = [
  pictures.asciiEntry(0x110, `prompt:${prompt}`),
  pictures.asciiEntry(0x10f, `workflow:${workflow}`),
];
const twice = (text: string): string => JSON.stringify(JSON.stringify(text));

const { png, pngText, pngDeflated, pngUnicode, pngAnimated, tiff, userComment, exifSegment } = pictures;

/** One file for each place of each format, with the format's name. */
export const samples: readonly (readonly [what: string, format: string, file: Buffer])[] = [
  ['PNG, tEXt', 'png', png([pngText('prompt', prompt), pngText('workflow', workflow)])],
  [
    'PNG, zTXt',
    'png',
    png([pngDeflated('prompt', Buffer.from(prompt)), pngDeflated('workflow', Buffer.from(workflow))]),
  ],
  ['PNG, iTXt', 'png', png([pngUnicode('prompt', prompt), pngUnicode('workflow', workflow, true)])],
  ['PNG, after its pixels', 'png', png([], [pngText('prompt', prompt), pngText('workflow', workflow)])],
  ['PNG, animated', 'png', png([], [pngAnimated('prompt', prompt), pngAnimated('workflow', workflow)])],
  ['PNG, eXIf', 'png', png([['eXIf', tiff(labels)]])],
  [
    'PNG, beside other texts',
    'png',
    png([pngText('parameters', 'a cat'), pngText('workflow', workflow), pngText('prompt', prompt)]),
  ],
  ['WebP, EXIF', 'webp', pictures.webp(tiff(labels))],
  [
    'WebP, EXIF with a name, big endian',
    'webp',
    pictures.webp(Buffer.concat([Buffer.from('Exif\0\0'), tiff(labels, [], 'MM')])),
  ],
  ['JPEG, EXIF', 'jpeg', pictures.jpeg([exifSegment(tiff(labels))])],
  ['JPEG, comment of a user', 'jpeg', pictures.jpeg([exifSegment(tiff([], [userComment(wrapped)]))])],
  [
    'JPEG, comment of a user in UTF-16',
    'jpeg',
    pictures.jpeg([exifSegment(tiff([], [userComment(wrapped, 'UNICODE')], 'MM'))]),
  ],
  ['JPEG, comment', 'jpeg', pictures.jpeg([pictures.segment(0xfe, Buffer.from(wrapped))])],
  ['AVIF', 'avif', media.avif(tiff(labels))],
  ['AVIF, in pieces, version 1', 'avif', media.avif(tiff(labels), { pieces: 3, version: 1 })],
  ['AVIF, beside its items, version 2', 'avif', media.avif(tiff(labels), { inData: true, version: 2 })],
  ['AVIF, comment of a user', 'avif', media.avif(tiff([], [userComment(wrapped)]))],
  ['MP4, names', 'mp4', media.mp4Tags({ encoder: 'x', ...both })],
  ['MP4, saved again', 'mp4', media.mp4Tags({ prompt: twice(prompt), workflow: twice(workflow) })],
  ['MP4, comment', 'mp4', media.mp4Comment(wrapped)],
  ['MP4, free names', 'mp4', media.mp4FreeItems(both)],
  ['MOV, names', 'mp4', media.mov(both)],
  ['MOV, comment', 'mp4', media.movComment(wrapped)],
  ['WebM, tags first', 'matroska', media.webm(capitals)],
  ['WebM, tags last', 'matroska', media.webm(capitals, 'after')],
  ['WebM, tags by the index', 'matroska', media.webm(capitals, 'index')],
  ['WebM, live', 'matroska', media.webm(capitals, 'live')],
  ['WebM, comment', 'matroska', media.webm({ TITLE: 'x', COMMENT: wrapped })],
  ['FLAC', 'flac', media.flac({ title: 'a', ...both }, [6, Buffer.alloc(300)])],
  ['FLAC with ID3 before it', 'mp3', Buffer.concat([media.id3({ title: 'x' }), media.flac(both)])],
  ['MP3, ID3v2.2', 'mp3', media.mp3(both, { version: 2 })],
  ['MP3, ID3v2.3', 'mp3', media.mp3(both)],
  [
    'MP3, ID3v2.3, UTF-16',
    'mp3',
    media.mp3(both, { encoding: 'utf16', unsynchronised: true, extended: true }),
  ],
  ['MP3, ID3v2.4', 'mp3', media.mp3(both, { version: 4, encoding: 'utf8', extended: true })],
  [
    'MP3, ID3v2.4, UTF-16, frame by frame',
    'mp3',
    media.mp3(both, { version: 4, encoding: 'utf16', unsynchronised: true }),
  ],
  ['MP3, ID3v2.4, UTF-16 big endian', 'mp3', media.mp3(both, { version: 4, encoding: 'utf16be' })],
  ['MP3, comment', 'mp3', media.mp3({ '': wrapped }, { comment: true })],
  ['Opus', 'ogg', media.opus({ title: 'a', ...both })],
  [
    'Opus, over pages',
    'ogg',
    media.opus({ title: 'x'.repeat(700), ...both }, { segmentsAPage: 2, other: true }),
  ],
  ['Ogg Vorbis', 'ogg', media.vorbis(capitals)],
  ['WAV, INFO', 'wav', pictures.wavInfo('ICMT', wrapped)],
  ['WAV, ID3', 'wav', pictures.wavId3(media.id3(both))],
  ['safetensors', 'safetensors', media.safetensors(both)],
  ['SVG, CDATA', 'svg', media.svg(`<metadata><![CDATA[ ${wrapped} ]]></metadata>`)],
  [
    'SVG, escaped',
    'svg',
    media.svg(`<metadata id="m">${wrapped.replaceAll('"', '&quot;')}</metadata>`, '<!-- a -->'),
  ],
  ['glTF', 'glb', media.glb({ asset: { version: '2.0', extras: both }, scenes: [] })],
  ['JSON with both', 'json', Buffer.from(`\uFEFF ${wrapped}`)],
];
