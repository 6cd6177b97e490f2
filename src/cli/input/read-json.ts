import { addAbortSignal } from 'node:stream';
import { parseExactJson } from '../../workflow.js';
import { type CliIo, UsageError } from '../cli-io.js';
import { errorCode } from '../error-code.js';
import { messageOf } from '../error-message.js';
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { decodeFile } from './decode-file.js';

/** What a JSON file holds, and what of it this program can't hold. */
export interface JsonFile {
  readonly value: unknown;
  readonly lost: readonly LostNumber[];
}

/** Reads a JSON file, or standard input for `-`. */
export const readJson = async (file: string, source: TextSource): Promise<JsonFile> => {
  const text = await readText(file, source);
  try {
    return { value: parseExactJson(text), lost: lostNumbers(text) };
  } catch (error) {
    const name = file === '-' ? 'standard input' : file;
    throw new UsageError(`${name} is not JSON: ${messageOf(error)}`);
  }
};

/** Where texts come from besides files, and what ends the wait for them. */
export interface TextSource extends Pick<CliIo, 'stdin'> {
  readonly stop: AbortSignal;
  /** Receives warnings about a text; by default they are dropped. */
  readonly warn?: (message: string) => void;
  /** How much metadata of a picture is read; default what the library reads. */
  readonly maxMetadataBytes?: number | undefined;
  /** How many of its parts, likewise. */
  readonly maxParts?: number | undefined;
}

/** What the body of a command reads files with. */
export const sourceOf = (
  { io: { stdin }, stop, report }: FileSession,
  { maxMetadataBytes, maxParts }: Pick<TextSource, 'maxMetadataBytes' | 'maxParts'> = {},
): TextSource => ({
  stdin,
  stop,
  maxMetadataBytes,
  maxParts,
  warn: (message) => report({ kind: 'warning', message }),
});

/** The part of a session that {@link sourceOf} uses. */
interface FileSession {
  readonly io: Pick<CliIo, 'stdin'>;
  readonly stop: AbortSignal;
  readonly report: (event: { readonly kind: 'warning'; readonly message: string }) => void;
}

/** Reads a whole text file, or standard input for `-`. */
export const readText = async (file: string, source: TextSource): Promise<string> => {
  const { stdin, stop } = source;
  if (file === '-') return decodeFile('standard input', await buffer(addAbortSignal(stop, stdin)), source);
  try {
    return decodeFile(file, await readFile(file), source);
  } catch (error) {
    throw new UsageError(`can't read ${file}: ${reasonOf(error)}`);
  }
};

/** Why a file can't be read, in the words of a person. */
export const reasonOf = (error: unknown): string => {
  const code = errorCode(error) ?? 'unknown reason';
  return (
    { ENOENT: 'there is no such file', EACCES: 'permission denied', EISDIR: 'it is a folder' }[code] ?? code
  );
};

/** A number of a JSON text that would be another one after it was read. */
export interface LostNumber {
  readonly text: string;
  /** Member names and indices that lead to it. */
  readonly path: readonly string[];
  /** Counted from 1. */
  readonly line: number;
}

/** Finds what a JSON text loses when it is read: numbers beyond every double, such as `1e999`. The text is valid JSON. */
export const lostNumbers = (json: string): readonly LostNumber[] => {
  const lost: LostNumber[] = [];
  const open: Place[] = [];
  let at = 0;
  let line = 1;
  while (at < json.length) {
    const character = json.charAt(at);
    const place = open.at(-1);
    const end = endOfToken(json, at);
    if (character === '{') open.push({ kind: 'object', step: '', named: false });
    else if (character === '[') open.push({ kind: 'array', step: 0 });
    else if (character === '}' || character === ']') open.pop();
    else if (character === ',' && place !== undefined) advance(place);
    else if (character === '"' && place?.kind === 'object' && !place.named) {
      place.step = JSON.parse(json.slice(at, end)) as string;
      place.named = true;
    } else if (character === '\n') {
      line += 1;
    } else if (numberStart.test(character) && !survives(json.slice(at, end))) {
      lost.push({ text: json.slice(at, end), path: open.map(({ step }) => String(step)), line });
    }
    at = end;
  }
  return lost;
};

/** An open container and the position of the scan in it. */
type Place =
  { readonly kind: 'object'; step: string; named: boolean } | { readonly kind: 'array'; step: number };

const advance = (place: Place): void => {
  if (place.kind === 'array') place.step += 1;
  else place.named = false;
};

const numberStart = /[-\d]/u;

const endOfToken = (json: string, at: number): number => {
  const character = json.charAt(at);
  if (character === '"') return endOfString(json, at);
  if (!numberStart.test(character)) return at + 1;
  numberParts.lastIndex = at;
  numberParts.exec(json);
  return numberParts.lastIndex;
};

const numberParts = /[-+.\deE]+/uy;

// By jumps from quote to quote: a workflow may hold a picture of many megabytes as text.
const endOfString = (json: string, start: number): number => {
  let quote = json.indexOf('"', start + 1);
  while (isEscaped(json, quote)) quote = json.indexOf('"', quote + 1);
  return quote + 1;
};

const isEscaped = (json: string, at: number): boolean => {
  let before = at - 1;
  while (json.charAt(before) === '\\') before -= 1;
  return (at - before) % 2 === 0;
};

// Integers of any size are read exactly. A bare minus is that of Python's `-Infinity`, which is read as null, as `NaN` is.
const survives = (number: string): boolean => /^-?\d*$/u.test(number) || Number.isFinite(Number(number));
