import type { ByteReader } from './byte-reader.js';
import { decodeText, inflate } from './text.js';
import { membersOf } from '../../core/protocol/json/members-of.js';
import { isJsonObject, tooManyValues } from '../../core/protocol/json/json.js';
import { parseExactJson } from '../../core/protocol/json/exact-json.js';
import { parseJson } from '../../core/protocol/json/parse-json.js';
import type { ReadProblem } from './stop-reading.js';

/** A JSON object in a file. */
export interface EmbeddedJson {
  /** As the file has it; of a workflow that a JSON file holds in something else, written anew. */
  readonly text: string;
  /** The text parsed: integers beyond 2^53 are `bigint`, and bare `NaN` and `Infinity`, which Python writes, are null. */
  readonly value: Readonly<Record<string, unknown>>;
}

/** The two texts that files carry: the API graph as executed, and the editor's file. */
export type GraphName = 'prompt' | 'workflow';

/** What was found in a file so far; the first of each name counts. */
export interface Findings {
  readonly found: Readonly<Partial<Record<GraphName, EmbeddedJson>>>;
  /** The first text that should have been JSON, and was not. */
  readonly problem: () => ReadProblem | undefined;
  /** Whether there is nothing more to search for. */
  readonly isComplete: () => boolean;
  /** Inflates a compressed text; all of them together may have as many bytes as the metadata. */
  readonly inflate: (deflated: Uint8Array) => Promise<Uint8Array>;
  /** Notes something about what is found; it is told beside it. */
  readonly note: (noted: ReadProblem) => void;
  /** What was noted. */
  readonly noted: () => ReadProblem | undefined;
  /** Parses a text; undefined, and a problem, where it is no JSON or has too many values. */
  readonly parse: (text: string, name?: string) => unknown;
  /** Takes a text by the name that the file gives it; a text under another name counts if it holds both of ours. */
  readonly offer: (name: string, text: string) => void;
}

export const createFindings = (maxMetadata: number): Findings => {
  const found: Partial<Record<GraphName, EmbeddedJson>> = {};
  let problem: ReadProblem | undefined;
  let noted: ReadProblem | undefined;
  let leftToInflate = maxMetadata;

  const keep = (name: GraphName, text: string): void => {
    const json = unquoted(text);
    if (found[name] !== undefined || !json.startsWith('{')) return;
    const value = parse(json, name);
    if (isJsonObject(value)) found[name] = { text: json, value };
  };

  const parse = (text: string, name = 'text'): unknown => {
    if (tooManyValues(text, maxValues)) {
      problem ??= { reason: 'too-large', message: `Its ${name} has more than ${maxValues} JSON values.` };
      return undefined;
    }
    const value = parseJson(text, parseExactJson);
    if (value === undefined) problem ??= { reason: 'not-json', message: `Its ${name} is not valid JSON.` };
    return value;
  };

  return {
    found,
    problem: () => problem,
    parse,
    note: (one) => (noted ??= one),
    noted: () => noted,
    isComplete: () => found.prompt !== undefined && found.workflow !== undefined,
    inflate: async (deflated) => {
      const bytes = await inflate(deflated, leftToInflate);
      leftToInflate -= bytes.length;
      return bytes;
    },
    offer: (name, text) => {
      const [label, labelName] = graphName(name) === undefined ? (labelled.exec(text) ?? []) : ['', name];
      const own = labelName === undefined ? undefined : graphName(labelName);
      if (own !== undefined) keep(own, text.slice(label?.length));
      else
        for (const member of membersOf(unquoted(text))) {
          const inner = graphName(member.name.slice(1, -1));
          if (inner !== undefined) keep(inner, member.value);
        }
    },
  };
};

/**
 * Offers a text of the file, which is read only if it may be one of ours: by its name, or because it begins like one.
 */
export const offerAt = async (
  reader: ByteReader,
  findings: Findings,
  name: string,
  [start, end]: readonly [start: number, end: number],
): Promise<void> => {
  if (graphName(name) === undefined && !looksLikeOurs((await reader.peek(start, labelLength)).raw)) return;
  findings.offer(name, decodeText((await reader.payload(start, end - start)).raw));
};

/** Whether a text begins like one that holds a graph; enough of its first bytes suffice. */
export const looksLikeOurs = (head: Uint8Array): boolean => {
  const text = decodeText(head).trimStart();
  return text.startsWith('{') || text.startsWith('"') || labelled.test(text);
};

const labelled = /^\s*(prompt|workflow):/iu;

/** As long as `workflow:`, with a blank or two. */
export const labelLength = 12;

/** The name of a text that is one of ours, in whichever case: FFmpeg writes some in capitals. */
export const graphName = (name: string): GraphName | undefined => {
  const lower = name.toLowerCase();
  return lower === 'prompt' || lower === 'workflow' ? lower : undefined;
};

const maxValues = 1_000_000;

/** The text itself, where it was encoded as a JSON string, once or (a video saved again) several times. */
const unquoted = (text: string): string => {
  let inner = text.trim();
  for (let times = 0; times < 3 && inner.startsWith('"'); times += 1) {
    const value = parseJson(inner);
    if (typeof value !== 'string') return inner;
    inner = value.trim();
  }
  return inner;
};
