import type { Clock } from '../../../core/platform/platform.js';
import { isLargeText } from '../../joblog/turn-for-large.js';
import { nextTurn } from '../../../core/platform/next-turn.js';
import { ofBytes } from './respond.js';
import type { RouteCall } from './route.js';
import { writeExactJson } from '../../../core/protocol/json/exact-json.js';

/** A list with what stands beside it. */
export interface JsonList<Element> {
  /** The member that is the list. */
  readonly name: string;
  readonly elements: readonly Element[];
  /** The document of an element. */
  readonly shown: (element: Element) => unknown;
  /** The other members. */
  readonly more?: object;
}

/**
 * A JSON answer as `json` makes it, of an object with a list. A large one is written in several turns of the event loop, each once its caller
 * may have so much more.
 */
export const jsonList = async <Element>(
  { name, elements, shown, more = {} }: JsonList<Element>,
  clock: Pick<Clock, 'after'>,
  { work }: Pick<RouteCall, 'work'>,
): Promise<Response> => {
  const encoder = new TextEncoder();
  const pieces: Uint8Array[] = [];
  let text = `{${JSON.stringify(name)}:[`;
  for (const [at, element] of elements.entries()) {
    text += `${at === 0 ? '' : ','}${writeExactJson(shown(element))}`;
    if (!isLargeText(text)) continue;
    await work(text.length);
    pieces.push(encoder.encode(text));
    text = '';
    await nextTurn(clock);
  }
  const others = writeExactJson(more).slice(1);
  pieces.push(encoder.encode(`${text}]${others === '}' ? '' : ','}${others}`));
  return ofBytes(joined(pieces), {
    headers: new Headers({ 'content-type': 'application/json', 'cache-control': 'no-store' }),
  });
};

const joined = (pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(pieces.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.byteLength;
  }
  return bytes;
};
