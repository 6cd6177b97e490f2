import { type CliEvent, type EndEvent, type Reporter, resumeCommand } from './cli-event.js';
import type { CliIo } from '../cli-io.js';
import { escapeRisky } from '../escape-risky.js';
import { exitCodes } from '../exit-code.js';
import { writeExactJson } from '../../workflow.js';
import { isServiceError, type QueueItem, type ServiceError } from '../../node.js';

/** Writes each event as one JSON object a line on standard output, redacted, and nothing elsewhere. */
export const jsonReporter = (io: Pick<CliIo, 'stdout'>, redact: (text: string) => string): Reporter => ({
  report: (event) => {
    const json = jsonOf(event);
    if (json !== undefined) io.stdout.write(`${redact(jsonLine(json))}\n`);
  },
  close: () => undefined,
});

/** The JSON object of an event, as documented in docs/cli-output.md; undefined for events that only a terminal shows. */
export const jsonOf = (event: CliEvent): object | undefined => {
  switch (event.kind) {
    case 'state':
      return stateJson(event);
    case 'batch':
      return batchJson(event);
    case 'preview': {
      const { promptId, nodeId, displayNodeId, mediaType, image } = event.preview;
      return { kind: 'preview', promptId, nodeId, displayNodeId, mediaType, bytes: image.length };
    }
    case 'output':
      return { kind: 'output', promptId: event.promptId, ...event.file };
    case 'unread': {
      const { kind, promptId, nodeId, key, reason, sample } = event;
      return { kind, promptId, nodeId, key, reason, sample };
    }
    case 'text': {
      const { kind, promptId, nodeId, displayNodeId, key, text } = event;
      return { kind, promptId, nodeId, displayNodeId, key, text };
    }
    case 'existing':
    case 'skipped':
    case 'download':
    case 'passed':
    case 'cancelling':
      return undefined;
    case 'saved':
      return { kind: 'saved', promptId: event.promptId, ...event.file, existing: event.existing };
    case 'inspected':
      return { kind: 'inspected', ...event.inspection };
    case 'change':
      return { kind: 'change', ...event.change };
    case 'status':
      return { kind: 'status', ...event.status };
    case 'shown':
      return shownJson(event);
    case 'queue':
      return queueJson(event);
    case 'nodeClass':
      return event.whole
        ? { kind: 'nodeClass', name: event.name, info: event.info }
        : { kind: 'nodeClass', name: event.name, category: event.info.category };
    case 'user':
      return { kind: 'user', id: event.user.id, status: event.user.status };
    case 'verdict': {
      const { kind, verdict, errors, warnings } = event;
      return { kind, verdict, errors, warnings };
    }
    case 'problem':
      return { kind: 'problem', ...event.problem };
    case 'preflight':
      return preflightJson(event);
    case 'fixed':
      return fixedJson(event);
    case 'error':
      return errorJson(event.error);
    case 'end':
      return event.stage === 'serve' ? undefined : endJson(event);
    case 'job':
      return { kind: 'job', ...event.job };
    case 'stats':
      return { kind: 'stats', ...event.stats };
    case 'submitted': {
      const { kind, promptId, recorded, number, nodeErrors } = event;
      return { kind, promptId, recorded, number, nodeErrors };
    }
    case 'connection': {
      const { kind, promptId, state, reason } = event;
      return { kind, promptId, state, reason };
    }
    case 'converted':
    case 'declared':
    case 'program':
    case 'example':
    case 'uploaded':
    case 'cancelled':
    case 'over':
    case 'cancelRequested':
    case 'interrupted':
    case 'emulator':
    case 'gateway':
    case 'studio':
    case 'check':
    case 'statement':
    case 'checked':
    case 'worker':
    case 'engines':
    case 'servers':
    case 'queueChanged':
    case 'request':
    case 'warning':
    case 'failure':
      return event;
    case 'conformance': {
      const { kind, passed, failed, skipped, jobs } = event;
      return { kind, passed, failed, skipped, jobs };
    }
  }
};

const fixedJson = ({ path, fixes, workflow }: Extract<CliEvent, { kind: 'fixed' }>): object => ({
  ...{ kind: 'fixed', path, fixes },
  workflow: path === undefined ? workflow : undefined,
});

const queueJson = ({
  queue: { running, pending },
  server,
}: Extract<CliEvent, { kind: 'queue' }>): object => ({
  kind: 'queue',
  ...(server !== undefined && { server }),
  running: running.map(withoutWorkflow),
  pending: pending.map(withoutWorkflow),
});

const stateJson = ({ state, shown }: Extract<CliEvent, { kind: 'state' }>): object => {
  const { promptId, phase, progress, nodeCount, nodes, outputsComplete, queue } = state;
  return {
    kind: 'state',
    promptId,
    phase,
    queue,
    progress: shown?.value ?? progress,
    stage: shown?.stage,
    nodeCount,
    timeLeftMs: shown?.timeLeftMs,
    timeLeftMaxMs: shown?.timeLeftMaxMs,
    nodes,
    outputsComplete,
  };
};

/** The state of one job of many, and where it is. */
const batchJson = ({ kind, file, index, state }: Extract<CliEvent, { kind: 'batch' }>): object => {
  const { server, attempt } = state;
  return { ...stateJson({ kind: 'state', state, titles: new Map() }), kind, file, index, server, attempt };
};

const preflightJson = ({ report }: Extract<CliEvent, { kind: 'preflight' }>): object => {
  const { verdict, missingClasses, missingModels, unknownModels } = report;
  const { replaced, uploads, paidNodes, plan } = report;
  return {
    ...{ kind: 'preflight', verdict, missingClasses, missingModels, unknownModels },
    ...{ replaced, uploads, paidNodes, plan },
  };
};

/** The plan is the library's own, and bytes of pictures are no JSON. */
const shownJson = ({ id, state }: Extract<CliEvent, { kind: 'shown' }>): object => {
  return {
    kind: 'shown',
    id,
    ...state,
    plan: undefined,
    socketImages: state.socketImages?.map(({ bytes, ...image }) => ({ ...image, bytes: bytes?.length })),
  };
};

const errorJson = (error: ServiceError | Error): object => {
  if (!isServiceError(error)) return { kind: 'error', tag: error.name, message: error.message };
  const { _tag: tag, message, hint, retry, promptId, endpoint, status, errorType, retryAfterMs } = error;
  const common = {
    kind: 'error',
    tag,
    message,
    hint,
    retry,
    promptId,
    endpoint,
    status,
    errorType,
    retryAfterMs,
  };
  switch (error._tag) {
    case 'BadRequest':
      return { ...common, nodeErrors: error.nodeErrors };
    case 'OutcomeUnknown':
      return { ...common, candidates: error.candidates, keyUsed: error.keyUsed };
    case 'InvalidWorkflow':
    case 'InvalidInputs':
      return { ...common, problems: error.problems };
    case 'UnknownNode':
    case 'UnknownInput':
      return { ...common, nearest: error.nearest };
    case 'AmbiguousNode':
      return { ...common, nodeIds: error.nodeIds };
    default:
      return common;
  }
};

const withoutWorkflow = ({ promptId, number, createdAt }: QueueItem): QueueItem => ({
  promptId,
  number,
  ...(createdAt !== undefined && { createdAt }),
});

const endJson = (event: EndEvent): object => ({
  kind: 'end',
  exit: event.exit,
  code: exitCodes[event.exit].code,
  promptId: event.promptId,
  resume: resumeCommand(event),
  elapsedMs: Math.round(event.elapsedMs),
});

/** Writes a value as one line of JSON without terminal control characters: risky ones are `\u` escapes. */
export const jsonLine = (value: object): string => escapeRisky(writeExactJson(value));
