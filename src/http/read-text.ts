import type { HttpResponse } from '../socket/platform.js';
import type { CallScope } from './call-scope.js';

/** A body as text, and whether it was longer than was read. */
export interface BodyText {
  /** Of a long body that was cut only the beginning, at least 64 KiB: joining the rest would take its size once more. */
  readonly text: string;
  readonly cut: boolean;
}

/** How a body is read. */
export interface ReadTextOptions {
  readonly maxBytes: number;
  /** Takes what came where the body breaks off or the scope ends, without more time for each piece; default false. */
  readonly evenCut?: boolean;
}

/**
 * Reads at most `maxBytes` of a body as UTF-8 and gives up the rest.
 *
 * Rejects with what the body rejects with, or as soon as the scope ends, unless `evenCut`; the connection is given up then,
 * too.
 */
export const readText = async (
  response: HttpResponse,
  scope: CallScope,
  { maxBytes, evenCut = false }: ReadTextOptions,
): Promise<BodyText> => {
  const there = response.whole?.(maxBytes);
  if (there !== undefined) return { text: utf8.decode(there), cut: false };
  const decoder = new TextDecoder();
  const chunks = response.body[Symbol.asyncIterator]();
  let text = '';
  let beginning = '';
  let left = maxBytes;
  let whole = false;
  try {
    for (;;) {
      if (!evenCut) scope.patient();
      const chunk = await scope.race(chunks.next());
      if (chunk.done === true) {
        whole = true;
        return { text: text + decoder.decode(), cut: false };
      }
      text += decoder.decode(chunk.value.subarray(0, left), { stream: true });
      if (beginning.length < beginningLength) beginning = text;
      left -= chunk.value.byteLength;
      if (left < 0) return { text: beginning, cut: true };
    }
  } catch (cause) {
    if (!evenCut) throw cause;
    return { text, cut: true };
  } finally {
    if (!whole) response.discard();
  }
};

const utf8 = /* @__PURE__ */ new TextDecoder();
const beginningLength = 64 * 1024;
