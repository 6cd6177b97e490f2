/**
 * Detects the media type of a file from its first bytes; undefined for any other format.
 *
 * It knows the image, video, audio and model formats that the service's nodes save: JPEG, PNG, GIF, WebP, AVIF, HEIC, BMP,
 * TIFF, MP4, QuickTime, WebM, Matroska, AVI, WAV, FLAC, Ogg, MP3, binary glTF. It reads at most the first 64 bytes.
 *
 * @example
 * ```ts
 * import { sniffMediaType } from 'promptwire';
 *
 * const type = sniffMediaType(Uint8Array.of(0xff, 0xd8, 0xff, 0xe0)); // 'image/jpeg'
 * ```
 */
export const sniffMediaType = (bytes: Uint8Array): string | undefined => {
  switch (bytes[0]) {
    case 0xff:
      if (bytes[1] === 0xd8 && bytes[2] === 0xff) return 'image/jpeg';
      return isMpegAudio(bytes[1]) ? 'audio/mpeg' : sniffBoxes(bytes);
    case 0x89:
      return bytes[1] === 0x50 && bytes[2] === 0x4e && bytes[3] === 0x47 ? 'image/png' : sniffBoxes(bytes);
    default:
      return sniffBoxes(bytes);
  }
};

/**
 * Maps the extension of a file name to a media type; undefined for an unknown extension.
 *
 * @example
 * ```ts
 * import { mediaTypeOfName } from 'promptwire';
 *
 * const type = mediaTypeOfName('render_00001_.MP4'); // 'video/mp4'
 * ```
 */
export const mediaTypeOfName = (filename: string): string | undefined => {
  const dot = filename.lastIndexOf('.');
  return dot === -1 ? undefined : byExtension.get(filename.slice(dot + 1).toLowerCase());
};

const sniffBoxes = (bytes: Uint8Array): string | undefined => {
  const head = ascii(bytes, 0, 4);
  switch (head) {
    case 'RIFF':
      return byRiffForm.get(ascii(bytes, 8, 12));
    case 'GIF8':
      return 'image/gif';
    case 'OggS':
      return 'audio/ogg';
    case 'fLaC':
      return 'audio/flac';
    case 'glTF':
      return 'model/gltf-binary';
    case 'II*\0':
    case 'MM\0*':
      return 'image/tiff';
    case '\x1aE\xdf\xa3':
      return ascii(bytes, 4, 64).includes('webm') ? 'video/webm' : 'video/x-matroska';
    default:
      if (ascii(bytes, 4, 8) === 'ftyp') return byBrand.get(ascii(bytes, 8, 12)) ?? 'video/mp4';
      if (head.startsWith('ID3')) return 'audio/mpeg';
      return head.startsWith('BM') && isBitmap(bytes) ? 'image/bmp' : undefined;
  }
};

/** The head of an MPEG audio frame: eleven set bits, then a valid version and a valid layer. */
const isMpegAudio = (second = 0): boolean =>
  (second & 0xe0) === 0xe0 && (second & 0x18) !== 0x08 && (second & 0x06) !== 0;

/** The letters `BM` alone are too common; the reserved words of a bitmap header are zero as well. */
const isBitmap = (bytes: Uint8Array): boolean => bytes.length > 14 && ascii(bytes, 6, 10) === '\0\0\0\0';

const ascii = (bytes: Uint8Array, start: number, end: number): string => {
  let text = '';
  for (let at = start; at < end && at < bytes.length; at += 1) text += String.fromCharCode(bytes[at] ?? 0);
  return text;
};

const byRiffForm = new Map([
  ['WEBP', 'image/webp'],
  ['WAVE', 'audio/wav'],
  ['AVI ', 'video/x-msvideo'],
]);

const byBrand = new Map([
  ['avif', 'image/avif'],
  ['avis', 'image/avif'],
  ['heic', 'image/heic'],
  ['mif1', 'image/heif'],
  ['qt  ', 'video/quicktime'],
  ['M4A ', 'audio/mp4'],
]);

const byExtension = new Map([
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['png', 'image/png'],
  ['apng', 'image/apng'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
  ['avif', 'image/avif'],
  ['heic', 'image/heic'],
  ['bmp', 'image/bmp'],
  ['tif', 'image/tiff'],
  ['tiff', 'image/tiff'],
  ['svg', 'image/svg+xml'],
  ['exr', 'image/x-exr'],
  ['mp4', 'video/mp4'],
  ['m4v', 'video/mp4'],
  ['mov', 'video/quicktime'],
  ['webm', 'video/webm'],
  ['mkv', 'video/x-matroska'],
  ['avi', 'video/x-msvideo'],
  ['wav', 'audio/wav'],
  ['flac', 'audio/flac'],
  ['mp3', 'audio/mpeg'],
  ['ogg', 'audio/ogg'],
  ['opus', 'audio/ogg'],
  ['m4a', 'audio/mp4'],
  ['aac', 'audio/aac'],
  ['glb', 'model/gltf-binary'],
  ['gltf', 'model/gltf+json'],
  ['obj', 'model/obj'],
  ['stl', 'model/stl'],
  ['ply', 'model/ply'],
  ['fbx', 'model/x-fbx'],
  ['usdz', 'model/vnd.usdz+zip'],
  ['splat', 'model/x-splat'],
  ['json', 'application/json'],
  ['txt', 'text/plain'],
  ['csv', 'text/csv'],
  ['md', 'text/markdown'],
  ['zip', 'application/zip'],
  ['pdf', 'application/pdf'],
  ['latent', 'application/octet-stream'],
  ['safetensors', 'application/octet-stream'],
]);
