import type { Malformed } from '../../core/protocol/frames/frame.js';

/** A line of a recording after its head: JSON with the time in milliseconds since the recording began. */
export type RecordingLine =
  | MessageLine
  | { readonly ms: number; readonly socket: 'opened' }
  | { readonly ms: number; readonly socket: 'closed'; readonly code: number }
  | { readonly ms: number; readonly end: 'closed' | 'full' };

/** A message: text, or bytes in base64. */
export type MessageLine = { readonly ms: number; readonly direction: 'in' | 'out' } & (
  | { readonly text: string }
  | {
      readonly base64: string;
      /** How many bytes at its end were left out. */
      readonly left?: number | undefined;
      /** True if a text of binary type 3 begins with a prompt id. */
      readonly promptText?: boolean | undefined;
    }
  | { readonly malformed: Omit<Malformed, '_tag' | 'promptId'> }
);

/** Something of a recording, with the line that it stands on. */
export type Recorded = { readonly ms: number; readonly line: number } & (
  | {
      readonly kind: 'message';
      readonly direction: 'in' | 'out';
      /** Which socket it is of, where several are open at once. */
      readonly socket: number;
      readonly data: string | Uint8Array | Malformed;
      readonly promptText?: boolean | undefined;
    }
  | { readonly kind: 'opened'; readonly socket: number }
);

/** The version of the format that this package writes and reads. */
export const recordingVersion = 1;

/** The first line of a recording. */
export const recordingHead = (startedAt: number): string =>
  `${JSON.stringify({ recording: 'promptwire', version: recordingVersion, startedAt: new Date(startedAt).toISOString() })}\n`;

/** The bytes as base64 text. */
export const toBase64 = (bytes: Uint8Array): string => {
  let binary = '';
  for (let at = 0; at < bytes.length; at += 0x8000) {
    binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  }
  return btoa(binary);
};

/** The bytes of a base64 text; undefined if the text is not base64. */
export const fromBase64 = (text: string): Uint8Array | undefined =>
  text.length % 4 === 0 && /^[\w+/]*={0,2}$/u.test(text) && !text.includes('_')
    ? Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
    : undefined;
