import type { Random } from '../random.js';
import type { V2Event } from './v2-events.js';

const encoder = new TextEncoder();

/** A comment, which only shows that the service lives. */
export const keepAlive = encoder.encode(': keepalive\n\n');

/**
 * The bytes of one event, as any server may write them: lines that end in LF, CR or CRLF, fields that mean nothing here, and
 * pieces that are cut anywhere.
 */
export const bytesOfEvent = ({ event, data }: V2Event, random: Random): readonly Uint8Array[] => {
  const end = random.pick(['\n', '\n', '\n', '\r\n', '\r']);
  const space = random.chance(0.8) ? ' ' : '';
  const extra = random.pick([[], [], [], ['id: 7'], ['retry: 0'], [': no news'], ['colour: blue']]);
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  const lines = [
    `event:${space}${event}`,
    ...extra,
    ...text.split('\n').map((line) => `data:${space}${line}`),
  ];
  // A lone CR may be the first half of a CRLF, so that only what follows shows the event to be whole.
  const after = end === '\r' ? ':\n' : '';
  return cut(encoder.encode([...lines, '', ''].join(end) + after), random);
};

const cut = (bytes: Uint8Array, random: Random): readonly Uint8Array[] => {
  if (random.chance(0.6)) return [bytes];
  const at = random.below(bytes.length);
  return [bytes.subarray(0, at), bytes.subarray(at)];
};
