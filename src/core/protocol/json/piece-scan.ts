/**
 * Cuts a JSON text that arrives in chunks into the lists and objects that stand at one depth, so that a listing of any size is read
 * piece by piece; it keeps the text of one piece at most.
 */
export class PieceScan {
  /** Whether nothing more has to be read; a scan of pieces reads to the end. */
  readonly isDone = false;
  /** How many pieces were read. */
  pieces = 0;
  private readonly at: number;
  private readonly take: (piece: string) => void;
  private depth = 0;
  private hasBegun = false;
  private inString = false;
  private isEscaped = false;
  /** The piece that is being read, as far as earlier chunks hold it; undefined outside of pieces. */
  private held: string | undefined;

  /**
   * @param at the depth of the pieces: 1 for the members of the outermost object
   * @param take gets the text of each piece
   */
  constructor(at: number, take: (piece: string) => void) {
    this.at = at;
    this.take = take;
  }

  /** Whether what came so far is a whole text. */
  get isWhole(): boolean {
    return this.hasBegun && this.depth === 0 && !this.inString;
  }

  push(text: string): void {
    let from = 0;
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      if (this.inString) this.readString(code);
      else if (code === quote) this.inString = true;
      else if (code === brace || code === bracket) {
        if (this.depth === this.at) {
          this.held = '';
          from = index;
        }
        this.depth += 1;
        this.hasBegun = true;
      } else if (code === endOfBrace || code === endOfBracket) {
        this.depth -= 1;
        if (this.depth === this.at && this.held !== undefined) {
          this.pieces += 1;
          this.take(this.held + text.slice(from, index + 1));
          this.held = undefined;
        }
      }
    }
    if (this.held !== undefined) this.held += text.slice(from);
  }

  private readString(code: number): void {
    if (code === quote && !this.isEscaped) this.inString = false;
    this.isEscaped = code === backslash && !this.isEscaped;
  }
}

const quote = 0x22;
const bracket = 0x5b;
const backslash = 0x5c;
const endOfBracket = 0x5d;
const brace = 0x7b;
const endOfBrace = 0x7d;
