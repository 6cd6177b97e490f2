import type { CallScope } from './call-scope.js';
import { documentIn, longestSeen, plainWords } from '../errors/seen.js';
import * as E from '../protocol/either.js';
import type { Endpoint, KeptNumbers } from '../endpoints/endpoint.js';
import type { HttpConnection } from './connection.js';
import type { HttpResponse } from '../platform/platform.js';
import { type LargeObject, largeObject } from './large-object.js';
import { mayLoseNumbers, parseAsSent } from '../protocol/json/exact-json.js';
import { parseJson } from '../protocol/json/parse-json.js';
import { readText } from './read-text.js';
import { type Redact, sampleOf } from '../redaction/redact.js';
import { tooManyValues } from '../protocol/json/json.js';

/** The JSON of an answer. */
export interface JsonBody {
  /** Undefined for an empty body. */
  readonly json: unknown;
  /** The same with its numbers as sent, where the answer holds outputs. */
  readonly asSent: unknown;
  readonly text: string;
  /** Whether secrets were taken out already: an answer that is parsed in pieces is redacted piece by piece. */
  readonly isRedacted: boolean;
}

/** Why an answer can't be read. */
export interface UnreadableBody {
  readonly reason: string;
  readonly text: string;
  readonly hint?: string;
  /** The option whose bound it exceeds. */
  readonly option?: string;
  /** Whether it is a page, which a proxy or a login sends in place of an answer. */
  readonly isPage?: boolean;
}

/** Reads an answer as JSON within the bounds of the client and the endpoint, see `request`. */
export const readJson = async (
  { platform, redact, redactValue, maxAnswerBytes }: HttpConnection,
  { maxBytes = maxJsonBytes, parsedInPieces: pieces, keepsNumbers }: Endpoint<unknown>,
  response: HttpResponse,
  scope: CallScope,
): Promise<E.Either<UnreadableBody, JsonBody>> => {
  const most = maxAnswerBytes ?? maxBytes;
  const large = pieces && largeObject({ clock: platform.clock, redactValue, pieces, most, keepsNumbers });
  const { text, isTruncated } = await readText(response, scope, {
    // What is skipped does not count.
    maxBytes: pieces === undefined ? most : Infinity,
    take: large?.take,
  });
  scope.release();
  if (large !== undefined && (large.hasBegun() || tooManyValues(text)))
    return readLarge(large, text, { most, redact });
  if (isTruncated) return E.left(tooLarge(most, text));
  if (tooManyValues(text)) return E.left({ reason: tooMany, text });
  const json = parseJson(text);
  return json === undefined && text.trim() !== ''
    ? E.left(noJson(text, isJson(text) ? tooDeep : seenAs(text), redact))
    : E.right({ json, asSent: withNumbers(json, text, keepsNumbers), text, isRedacted: false });
};

const readLarge = async (
  large: LargeObject,
  text: string,
  { most, redact }: { readonly most: number; readonly redact: Redact },
): Promise<E.Either<UnreadableBody, JsonBody>> => {
  const json = await large.end(text);
  if (large.isTooLarge()) return E.left(tooLarge(most, text));
  return json === undefined
    ? E.left(large.holdsTooMany() ? { reason: tooManyOfLarge, text } : noJson(text, noPieces, redact))
    : E.right({ json, asSent: json, text, isRedacted: true });
};

/** Of outputs only what follows the first ones counts: the workflow before them often has large numbers. */
const withNumbers = (json: unknown, text: string, kept: KeptNumbers): unknown => {
  const at = kept === 'all' ? 0 : kept === 'outputs' ? text.indexOf('"outputs"') : -1;
  return at >= 0 && mayLoseNumbers(text.slice(at)) ? parseAsSent(text) : json;
};

const noJson = (text: string, reason: string, redact: Redact): UnreadableBody => {
  const document = documentIn(text, longestSeen);
  return document === undefined
    ? { reason, text }
    : {
        reason: `the answer is ${sampleOf(document, maxDocument, redact)}`,
        text,
        hint: noService,
        isPage: true,
      };
};

/** Quotes a short text whole, as a secret that was cut could not be redacted; JSON that is cut says nothing of itself. */
const seenAs = (text: string): string => {
  const words = text.length > maxWords ? undefined : plainWords(text);
  return words === undefined ? 'the answer is no JSON' : `the answer is no JSON but text, "${words}"`;
};

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

const maxWords = 200;
const maxDocument = 260;
const maxJsonBytes = 8 * 1024 * 1024;

const tooLarge = (most: number, text: string): UnreadableBody => ({
  reason: `the answer has more than ${most} bytes, the bound of maxAnswerBytes`,
  hint: 'Let larger answers be read with maxAnswerBytes of createClient.',
  option: 'maxAnswerBytes',
  text,
});
const noPieces = 'the answer is no JSON, or has more than 64 levels';
const tooManyOfLarge =
  'a member of the answer holds more than 250,000 values, or all of it more than 4,000,000';
const tooDeep = 'the answer has more than 64 levels';
const tooMany = 'the answer holds more than 250,000 values';
const noService =
  'This is not the service itself: check baseUrl, and whether a login or a proxy stands before the service; its credentials go into headers.';
