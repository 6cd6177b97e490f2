import { FfmpegError } from './ffmpeg.js';
import { NodeFailure } from '../node-class.js';

/** Throws what the engine's node throws where its library can't encode, by the name of the encoder. */
export const failEncoding =
  (encoder: string) =>
  (error: unknown): never => {
    const { reason, message } = ofFfmpeg(error);
    if (reason === 'missing') throw new NodeFailure(unknownCodec, `${encoder}: ${howToGet(message)}`);
    if (/Unknown encoder/iu.test(message)) throw new NodeFailure(unknownCodec, `${encoder}: ${message}`);
    throw new NodeFailure(
      'av.error.ExternalError',
      `[Errno 542398533] Generic error in an external library: ${message}`,
    );
  };

/** Throws what the engine's node throws where its library can't decode, by the name of the file. */
export const failDecoding =
  (file: string) =>
  (error: unknown): never => {
    const { reason, message } = ofFfmpeg(error);
    if (reason === 'missing')
      throw new NodeFailure(
        'av.error.DecoderNotFoundError',
        `[Errno 1128613112] Decoder not found: '${file}'; ${howToGet(message)}`,
      );
    throw new NodeFailure(
      'av.error.InvalidDataError',
      `[Errno 1094995529] Invalid data found when processing input: '${file}'`,
    );
  };

const unknownCodec = 'av.codec.codec.UnknownCodecError';

/** The reasons that encoding and decoding fail for; the others end the node at once. */
const ofFfmpeg = (error: unknown): FfmpegError => {
  if (!(error instanceof FfmpegError)) throw error;
  if (error.reason === 'too large') throw new NodeFailure('OOMError', `ffmpeg made ${error.message}.`);
  if (error.reason === 'too slow') throw new NodeFailure('TimeoutError', error.message);
  return error;
};

const howToGet = (why: string): string =>
  `the emulator has no ffmpeg (${why}). Install ffmpeg so that it is on PATH, or name the program by the option ffmpeg, ` +
  'in the command by --ffmpeg.';
