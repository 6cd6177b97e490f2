/**
 * The io-ts codecs of what the service sends: events, answers, workflows and error bodies, members as on the wire.
 *
 * They are for programs that check data of their own (a proxy, a recording, a queue) or compose them with codecs of their own.
 * Each is a Standard Schema as well, which routers, form libraries and AI SDKs take. Members that a codec does not name pass as they are; `t.exact` strips them. The client checks the hot path by guards that are
 * generated from the same codecs, so it loads no io-ts, and neither does a program that does not import this entry.
 *
 * @packageDocumentation
 */
export {
  cancellationCodec,
  engineLogsCodec,
  errorBodyCodec,
  historyCodec,
  historyRecordCodec,
  jobDetailCodec,
  type ListedJob,
  namesCodec,
  nodeErrorsCodec,
  objectInfoCodec,
  outputFileCodec,
  outputsCodec,
  queueCodec,
  queueItemCodec,
  refusalCodec,
  submissionCodec,
  systemStatsCodec,
  uploadedFileCodec,
  userdataFilesCodec,
  userCodec,
  workflowRefusalCodec,
} from './core/endpoints/answer-codecs.js';
export { eventCodecs, type EventMessage, eventMessageCodec } from './core/protocol/event-codecs.js';
export type { EventData, EventType, ExecInfo, ProgressStateNode } from './core/protocol/event-data.js';
export {
  v2ErrorCodec,
  v2EventCodecs,
  v2JobCodec,
  v2JobErrorCodec,
  v2NodeErrorsCodec,
  v2OutputCodec,
  v2ProgressCodec,
} from './core/endpoints/v2/codecs.js';
export { jobStatusCodec, nodeInfoCodec, workflowCodec } from './core/endpoints/codecs.js';
export type { StandardResult, StandardSchema } from './core/protocol/standard-schema.js';
