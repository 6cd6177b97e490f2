import type { CallScope } from './call-scope.js';
import type { HttpResponse } from '../platform/platform.js';

/** A body as text, and whether it was longer than the limit. */
export interface BodyText {
  /** Of a truncated body only the beginning, at least 64 KiB: joining all of it would take its size once more. */
  readonly text: string;
  readonly isTruncated: boolean;
}

/** How a body is read. */
export interface ReadTextOptions {
  readonly maxBytes: number;
  /** Returns what has arrived where the body breaks off or the scope ends, without more time for each chunk; default false. */
  readonly acceptPartial?: boolean;
  /**
   * Takes the text with each mebibyte that comes; false stops the reading. Default: the text grows until it is whole.
   */
  readonly take?: ((text: string) => Promise<boolean>) | undefined;
}

/**
 * Reads at most `maxBytes` of a body as UTF-8 and discards the rest.
 *
 * Rejects with the error of the body, or as soon as the scope ends, unless `acceptPartial`; the body is discarded then, too.
 */
export const readText = async (
  response: HttpResponse,
  scope: CallScope,
  { maxBytes, acceptPartial = false, take }: ReadTextOptions,
): Promise<BodyText> => {
  const decoder = new PieceDecoder();
  const chunks = response.body[Symbol.asyncIterator]();
  let text = '';
  let beginning = '';
  let left = maxBytes;
  let whole = false;
  try {
    for (;;) {
      if (!acceptPartial) scope.patient();
      const chunk = await scope.race(chunks.next());
      if (chunk.done === true) {
        whole = true;
        return { text: text + decoder.end(), isTruncated: false };
      }
      text += decoder.push(chunk.value.subarray(0, left));
      if (beginning.length < beginningLength) beginning = text;
      left -= chunk.value.byteLength;
      if (!acceptPartial) scope.moved(chunk.value.byteLength);
      if (left < 0) return { text: beginning + decoder.held(), isTruncated: true };
      if (take === undefined || text.length < pieceLength) continue;
      if (!(await take(text))) return { text: beginning, isTruncated: true };
      text = '';
    }
  } catch (cause) {
    if (!acceptPartial) throw cause;
    return { text: text + decoder.held(), isTruncated: true };
  } finally {
    if (!whole) response.discard();
  }
};

/** Decodes pieces of UTF-8. A small first one is held: alone, as most are, it is decoded as a whole at the end, without a converter. */
class PieceDecoder {
  /** A piece that is held, where it is the first one. */
  private first: Uint8Array | undefined;
  private decoder: TextDecoder | undefined;

  /** The text of the held piece, as far as it is whole. */
  held(): string {
    return this.first === undefined ? '' : this.streaming().decode(this.first, { stream: true });
  }

  push(piece: Uint8Array): string {
    if (this.decoder === undefined && this.first === undefined && piece.byteLength < beginningLength) {
      this.first = piece;
      return '';
    }
    const text = this.held() + this.streaming().decode(piece, { stream: true });
    this.first = undefined;
    return text;
  }

  end(): string {
    return (this.decoder ?? wholeTexts).decode(this.first);
  }

  private streaming(): TextDecoder {
    return (this.decoder ??= new TextDecoder());
  }
}

const wholeTexts = /* @__PURE__ */ new TextDecoder();

const beginningLength = 64 * 1024;
const pieceLength = 1024 * 1024;
