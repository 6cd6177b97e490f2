import { validateHeaderName, validateHeaderValue } from 'node:http';
import { billings, forbiddenCodes } from '../fault.js';
import { illegalFrames } from './raw-bytes.js';

/** The check of one member of a fault. */
export interface Check {
  readonly takes: string;
  readonly fits: (value: unknown) => boolean;
  readonly required: boolean;
  /** Set where the member is an object with members of its own. */
  readonly members?: Shape;
}

/** Member name → its check. */
export type Shape = Readonly<Record<string, Check>>;

const must = (takes: string, fits: Check['fits']): Check => ({ takes, fits, required: true });
const may = (check: Check): Check => ({ ...check, required: false });
const group = (members: Shape): Check => ({ ...must('an object', isObject), required: false, members });

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const isText = (value: unknown): value is string => typeof value === 'string';
const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isList = (value: unknown, fits: Check['fits']): boolean =>
  Array.isArray(value) && value.length > 0 && value.every(fits);

/**
 * Accepts only headers that Node.js sends: it throws on invalid names and values, and on trailers after a body with a
 * content length, at the moment of sending, where the error would be unhandled.
 */
const isHeader = (name: string, value: unknown): boolean => {
  if (!isText(value) || name.toLowerCase() === 'trailer') return false;
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
};

const text = must('a text', isText);
const flag = must('true or false', (value) => typeof value === 'boolean');
const count = must('a whole number from 0', (value) => Number.isInteger(value) && Number(value) >= 0);
const position = must('a whole number from 1', (value) => Number.isInteger(value) && Number(value) >= 1);
const rate = must('a number above 0', (value) => isNumber(value) && value > 0);
const milliseconds = must('milliseconds from 0', (value) => isNumber(value) && value >= 0);
const status = must(
  'an HTTP status, 200 to 599',
  (value) => Number.isInteger(value) && Number(value) >= 200 && Number(value) <= 599,
);
const closeCode = must(
  'a close code, 1000 to 4999',
  (value) => Number.isInteger(value) && Number(value) >= 1000 && Number(value) <= 4999,
);
const data = must('an object', isObject);
const headerValue = must('a header value', (value) => isHeader('x', value));
const headers = must(
  'an object of header values',
  (value) => isObject(value) && Object.entries(value).every(([name, of]) => isHeader(name, of)),
);
const texts = must('a list of texts', (value) => isList(value, isText));
const sizes = must('a list of whole numbers from 1', (value) => isList(value, position.fits));
const hex = must('hexadecimal digits', (value) => isText(value) && /^([0-9a-f]{2})*$/i.test(value));
const route = must('`*` or `METHOD /path`', (value) => isText(value) && /^(\*|[A-Z]+ \/\S*)$/.test(value));
const oneOf = (...words: readonly string[]): Check =>
  must(words.join(' or '), (value) => isText(value) && words.includes(value));

/** The members common to all faults. */
export const occurrenceShape: Shape = {
  nth: may(position),
  times: may(must('a whole number from 1, or every', (value) => value === 'every' || position.fits(value))),
  chance: may(must('a number from 0 to 1', (value) => isNumber(value) && value >= 0 && value <= 1)),
};

const how = may(oneOf('rst', 'fin'));
const after = group({ messages: may(count), bytes: may(count), ms: may(milliseconds) });
const answer: Shape = { status, headers: may(headers), body: may(text) };
/** The members of a `ScriptedAnswer` that is sent. */
export const scriptedShape: Shape = { ...answer, afterCommit: may(flag), cut: may(flag) };

const pace = { drip: { bytesPerSecond: rate }, slice: { sizes }, latency: { ms: milliseconds } };
const phase = may(oneOf('before', 'afterCommit', 'headers', 'body'));
const exchange = {
  cut: { how, phase, bytes: may(count) },
  stall: { phase, bytes: may(count) },
  oversize: { bytes: may(count) },
  gzip: { bytes: may(count) },
  ...pace,
};

const withMembers = (
  actions: Readonly<Record<string, Shape>>,
  members: Shape,
): Readonly<Record<string, Shape>> =>
  Object.fromEntries(Object.entries(actions).map(([name, shape]) => [name, { ...members, ...shape }]));

/** `on` → `do` → members. */
export const faultShapes: Readonly<Record<string, Readonly<Record<string, Shape>>>> = {
  socket: {
    refuse: answer,
    redirect: { location: headerValue, status: may(status) },
    headers: { headers },
    'idle-close': { ms: milliseconds, how },
    ...pace,
    ...withMembers(
      {
        cut: { how },
        stall: { ms: may(milliseconds) },
        blackhole: {},
        mute: {},
        close: { code: closeCode, reason: may(text) },
        illegal: { frame: oneOf(...Object.keys(illegalFrames)) },
        bytes: { hex },
        fragments: { count: may(position) },
        oversize: { bytes: may(position) },
        bomb: { bytes: may(position) },
        flood: { jobs: may(position), hz: may(rate), previewBytes: may(count) },
      },
      { after },
    ),
  },
  http: withMembers(exchange, { route: may(route) }),
  rest: withMembers(
    {
      answer: { ...answer, commit: may(flag) },
      lag: { reads: position },
      vanish: {},
      flicker: {},
      'commit-then-cut': { how },
      delay: { ms: milliseconds, phase: may(oneOf('before', 'after')) },
    },
    { route },
  ),
  storage: {
    ...exchange,
    answer,
    expire: { status: may(must('400 or 403', (value) => value === 400 || value === 403)) },
    truncate: { bytes: count },
    body: { text: may(text), base64: may(text), type: may(headerValue) },
    etag: { value: headerValue },
    redirect: { location: may(headerValue), status: may(status) },
    'no-length': { bytes: may(count) },
  },
  event: withMembers(
    {
      drop: {},
      duplicate: { copies: may(position) },
      swap: {},
      delay: { events: position },
      strip: { members: texts },
      alter: { data },
      foreign: {
        jobs: may(position),
        end: may(oneOf('success', 'error', 'interrupted', 'none')),
        previews: may(count),
        previewBytes: may(count),
      },
      unknown: { type: may(text), data: may(data) },
      garbage: { text: may(text), hex: may(hex) },
    },
    { match: group({ type: may(text), node: may(text), job: may(position) }) },
  ),
  job: {
    lose: {},
    vanish: { when: may(oneOf('always', 'ended')) },
    'finish-while-disconnected': { events: may(position) },
    status: { word: text, when: may(oneOf('always', 'moving', 'ended')) },
    'late-outputs': { reads: position },
    'history-lag': { ms: milliseconds },
    outputs: { outputs: data },
  },
  engine: withMembers(
    { kill: { keeps: may(oneOf('nothing', 'files', 'queue')) }, freeze: {} },
    { atMs: may(milliseconds), forMs: may(milliseconds) },
  ),
  account: withMembers(
    { revoke: {}, billing: { state: oneOf(...billings) }, forbid: { code: oneOf(...forbiddenCodes) } },
    { atMs: may(milliseconds) },
  ),
};
