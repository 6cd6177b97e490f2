import { annotated } from '../contract/annotated.js';
import {
  bytes,
  idempotencyKey,
  labelFilter,
  listKind,
  listLimit,
  listStatus,
  listText,
} from '../contract/requests.js';
import { type Answer, answers, type Operation, type Parameter } from './operation.js';
import { endedJob, nativeJob } from '../contract/native.js';
import { words } from '../contract/shapes.js';
import * as t from 'io-ts';

type Parameters = Readonly<Record<string, Parameter>>;

/** The query of a list of jobs. */
export const listQuery: Parameters = {
  limit: { codec: annotated(listLimit, { default: 50 }), description: 'How many jobs a page has.' },
  cursor: { codec: t.string, description: 'What the page before named as the next one.' },
  status: { codec: t.array(listStatus), description: 'Words of either interface.', style: 'list' },
  template: { codec: t.string, description: 'Jobs of this template only.' },
  workflow: {
    codec: t.string,
    description: 'Jobs of the template of this name, or with it as their label `workflow`.',
  },
  text: {
    codec: listText,
    description: 'Jobs that have all of these words: in prompts, titles of nodes, labels or names of files.',
  },
  kind: { codec: listKind, description: 'Jobs with an output of this kind.' },
  since: { codec: t.string, description: 'Submitted then or later: ISO 8601, or milliseconds since 1970.' },
  until: { codec: t.string, description: 'Submitted before then, likewise.' },
  metadata: {
    codec: labelFilter,
    description: 'Jobs with these labels only.',
    style: 'members',
  },
};

/** The query of a stream of events. */
export const streamQuery: Parameters = {
  from: {
    codec: words('start', 'latest'),
    description: 'Begins with the first event that is kept, or with the next one; default a snapshot.',
  },
  after: { codec: t.string, description: 'As `Last-Event-ID`.' },
};

/** The headers of a stream of events. */
export const streamHeaders: Parameters = {
  'Last-Event-ID': { codec: t.string, description: 'The id of the last event that the reader has.' },
};

/** The headers by which a submission counts once. */
export const submissionHeaders: Parameters = {
  'Idempotency-Key': { codec: idempotencyKey, description: 'Two submissions with one key are one job.' },
  'Idempotency-Replay': {
    codec: words('true', 'false'),
    description: 'With `true` a key that is used gets the first answer again, if the workflow is the same.',
  },
};

/** What answers to a submission say of its key. */
export const submissionAnswerHeaders: NonNullable<Answer['headers']> = {
  'Idempotency-Replayed': '`true` where the key was used before: this is the job of then.',
};

const callAnswerHeaders: NonNullable<Answer['headers']> = {
  ...submissionAnswerHeaders,
  Location: 'The address of the job.',
  'Preference-Applied': 'How long the call waits at most, as `wait=N`.',
};

/** The query of a submission that may wait. */
export const callQuery: Parameters = {
  output: { codec: t.string, description: 'The node whose file answers, by its title, class or id.' },
  'on-leave': {
    codec: words('cancel', 'go-on'),
    description: 'What becomes of the job where the caller leaves while it waits; by default it goes on.',
  },
};

/** The headers of a submission that may wait. */
export const callHeaders: Parameters = {
  ...submissionHeaders,
  Prefer: {
    codec: t.string,
    description:
      '`wait=N` answers when the job has ended, or after N seconds. A key that is used then joins its job.',
  },
};

/** The answers to a submission that may wait. */
export const callAnswers: Operation['answers'] = {
  200: {
    description: 'The job has ended: a file where `Accept` asks for one, else the job.',
    content: { 'application/json': endedJob, '*/*': bytes },
    headers: { ...callAnswerHeaders, ETag: 'Names these bytes.' },
  },
  201: answers('The job; the call did not wait for it.', nativeJob, submissionAnswerHeaders),
  202: answers('The job goes on.', nativeJob, {
    ...callAnswerHeaders,
    'Retry-After': 'Seconds, after which to ask for the job.',
  }),
  206: { description: 'A range of the file.', content: { '*/*': bytes } },
};

/** The headers of a request for bytes. */
export const rangeHeaders: Parameters = {
  Range: { codec: t.string, description: 'One range of bytes (RFC 9110, section 14).' },
  'If-Range': { codec: t.string, description: 'The ETag of the file that the range is of.' },
};

const fileHeaders: NonNullable<Answer['headers']> = {
  ETag: 'Names these bytes.',
  'Content-Disposition': 'The name of the file.',
};

/** The answers with a file: all of it, or the range that was asked for. */
export const fileAnswers: Operation['answers'] = {
  200: { description: 'The bytes.', content: { '*/*': bytes }, headers: fileHeaders },
  206: {
    description: 'The bytes of the range.',
    content: { '*/*': bytes },
    headers: { ...fileHeaders, 'Content-Range': 'Which bytes these are.' },
  },
};

/** The answers with a stream of events, whose lines are as NDJSON says. */
export const streamAnswers = (event: t.Mixed): Operation['answers'] => ({
  200: {
    description:
      'The events until the reader leaves, or until the job has ended. Of Server-Sent Events each has the fields `id`, `event` and ' +
      '`data`, which in NDJSON are the members of one object a line.',
    content: { 'text/event-stream': t.string, 'application/x-ndjson': event },
  },
  204: { description: 'The reader has the last event of the job.' },
});
