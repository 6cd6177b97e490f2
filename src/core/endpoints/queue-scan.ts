/**
 * Finds one job in a queue listing that arrives in pieces, or lists the ids of all; it keeps only the ids' characters, so the listing may have any size.
 *
 * A local server lists each waiting job with its whole workflow, so a long queue of large workflows is too much to parse. It
 * looks for the second member of each list within `queue_running` and `queue_pending`; what stands elsewhere is passed over.
 */
export class QueueScan {
  /** Where the job was found; nothing more has to be read then. */
  found: 'in_progress' | 'pending' | undefined;
  /** The ids of all jobs that were listed so far, where no single one is looked for. */
  readonly ids = new Set<string>();
  private readonly promptId: string | undefined;
  private depth = 0;
  private inString = false;
  private isEscaped = false;
  /** The string that is being read, as it is written, where it matters. */
  private written: string | undefined;
  private key = '';
  private place = 0;
  private hasLists = false;
  private isObject = false;

  constructor(promptId?: string) {
    this.promptId = promptId;
  }

  /** Whether what came so far is a whole queue listing. */
  get isWhole(): boolean {
    return this.isObject && this.depth === 0 && !this.inString && this.hasLists;
  }

  get isDone(): boolean {
    return this.found !== undefined;
  }

  push(text: string): void {
    for (let at = 0; at < text.length && this.found === undefined; at += 1) {
      const code = text.charCodeAt(at);
      if (this.inString) this.readString(code);
      else this.readMark(code);
    }
  }

  private readString(code: number): void {
    if (code === quote && !this.isEscaped) {
      this.inString = false;
      this.endString();
      return;
    }
    this.isEscaped = code === backslash && !this.isEscaped;
    if (this.written !== undefined && this.written.length < maxString)
      this.written += String.fromCharCode(code);
  }

  private readMark(code: number): void {
    switch (code) {
      case quote:
        this.inString = true;
        this.written = this.depth === 1 || (this.depth === 3 && this.place === 1) ? '' : undefined;
        return;
      case brace:
      case bracket:
        this.depth += 1;
        if (this.depth === 1) this.isObject = code === brace;
        if (this.depth === 2 && code === bracket && this.phase !== undefined) this.hasLists = true;
        if (this.depth === 3) this.place = 0;
        return;
      case endOfBrace:
      case endOfBracket:
        this.depth -= 1;
        return;
      case comma:
        if (this.depth === 3) this.place += 1;
    }
  }

  private endString(): void {
    const value = this.written === undefined ? undefined : unescaped(this.written);
    if (value === undefined) return;
    if (this.depth === 1) this.key = value;
    else if (this.phase === undefined) return;
    else if (this.promptId === undefined) this.ids.add(value);
    else if (value === this.promptId) this.found = this.phase;
  }

  private get phase(): 'in_progress' | 'pending' | undefined {
    if (this.key === 'queue_running') return 'in_progress';
    return this.key === 'queue_pending' ? 'pending' : undefined;
  }
}

const unescaped = (written: string): string | undefined => {
  if (!written.includes('\\')) return written;
  try {
    return JSON.parse(`"${written}"`) as string;
  } catch {
    return undefined;
  }
};

/** Longer strings are no ids. */
const maxString = 1024;

const quote = 0x22;
const comma = 0x2c;
const bracket = 0x5b;
const backslash = 0x5c;
const endOfBracket = 0x5d;
const brace = 0x7b;
const endOfBrace = 0x7d;
