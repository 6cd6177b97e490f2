import type { CliEvent } from './cli-event.js';
import { writeExactJson } from '../../workflow.js';
import { changeLine } from './change-line.js';
import { commandHint } from '../command-options.js';
import { count, nodeLabel } from '../terminal/format.js';
import { endLines } from './end-lines.js';
import { inspectionLines } from './inspection-lines.js';
import {
  isServiceError,
  type JobFailure,
  type NodeInfo,
  type Queue,
  render,
  type ServiceError,
} from '../../node.js';
import { jobLine, queueChange, statsLines } from './queue-lines.js';
import { isOfMany, manyLines } from './many-lines.js';
import { checkedText, emulatorLines, requestText } from './serving-lines.js';
import { shownLines } from './shown-lines.js';
import type { Line } from '../terminal/line.js';
import { preflightLines } from './preflight-lines.js';
import type { Problem } from '../../workflow.js';

/** What an event prints: results on standard output, notes on standard error. */
export interface EventLines {
  /** Lines for a person. */
  readonly results?: readonly Line[];
  /** A result that programs go on with, such as a workflow or a path: no part of it is left out or changed on the way. */
  readonly data?: string;
  readonly notes?: readonly Line[];
}

/** How many characters of a value a line for a person shows. */
export const shownLength = 200;

/**
 * What every event prints, except the states and previews of a running job, which the reporters draw.
 *
 * @param longest - Lines shorten the values of workflows to this many characters.
 */
export const eventLines = (event: CliEvent, longest = shownLength): EventLines => {
  if (isOfMany(event)) return manyLines(event);
  switch (event.kind) {
    case 'state':
    case 'preview':
    case 'output':
    case 'download':
    case 'passed':
    case 'statement':
      return {};
    case 'connection':
      return { notes: [connectionLine(event)] };
    case 'text':
      return { notes: textLines(event) };
    case 'unread':
      return { notes: [unreadLine(event)] };
    case 'existing':
      return { notes: [[existingText(event)]] };
    case 'skipped':
      return { notes: [[skippedText(event)]] };
    case 'submitted':
      return submittedLines(event);
    case 'saved':
      return { data: event.file.path, notes: event.file.verified ? [] : [unverified(event.file)] };
    case 'uploaded':
      return { data: event.value };
    case 'inspected':
      return { results: inspectionLines(event.inspection, longest) };
    case 'converted':
      return { data: event.path ?? writeExactJson(event.workflow, 2) };
    case 'declared':
      return { data: event.path, notes: [[`${count(event.classes, 'node type')}.`]] };
    case 'example':
      return { results: [[`${event.name.padEnd(16)}${event.description}`]] };
    case 'program':
      return { data: event.path ?? event.text.trimEnd() };
    case 'change':
      return { results: [changeLine(event, longest)] };
    case 'status':
      return { results: [statusLine(event)] };
    case 'shown':
      return { results: shownLines(event.id, event.state) };
    case 'queue':
      return { results: queueLines(event.queue, event.server) };
    case 'cancelled':
      return { results: [[`Cancelled ${event.promptId}`]] };
    case 'over':
      return { notes: [[`${event.promptId} was over before: ${event.phase}.`]] };
    case 'cancelling':
      return { notes: [[`Asking the service to cancel ${event.promptId} …`]] };
    case 'cancelRequested':
      return { notes: [['It took the request.']] };
    case 'interrupted':
      return { notes: [['Asked the service to end everything that runs for this account at the moment.']] };
    case 'nodeClass':
      return { results: event.whole ? classLines(event.name, event.info) : [[event.name]] };
    case 'user':
      return {
        results: [[[event.user.id, event.user.status].filter((word) => word !== undefined).join(' ')]],
      };
    case 'emulator':
      return { results: emulatorLines(event) };
    case 'gateway':
    case 'studio':
      return listeningLines(event);
    case 'check':
      return { results: checkLines(event) };
    case 'conformance':
      return { results: event.text.split('\n').map((line) => [line]) };
    case 'checked':
      return { results: [[checkedText(event)]] };
    case 'worker':
      return { results: [[`working on ${event.queue} as ${event.id}`]] };
    case 'job':
      return { results: [jobLine(event)] };
    case 'stats':
      return { results: statsLines(event.stats) };
    case 'queueChanged':
      return { notes: [[queueChange(event)]] };
    case 'request':
      return { notes: [[requestText(event)]] };
    case 'problem':
      return { notes: [problemLine(event.problem)] };
    case 'preflight':
      return { results: preflightLines(event.report) };
    case 'verdict':
      return { [event.isBeside === true ? 'notes' : 'results']: [[verdictText(event)]] };
    case 'fixed':
      return fixedLines(event);
    case 'warning':
      return { notes: [[{ text: 'Warning: ', style: 'yellow' }, event.message]] };
    case 'failure':
      return { notes: failureLines(event.failure) };
    case 'error':
      return { notes: errorLines(event.error) };
    case 'end':
      return { notes: endLines(event) };
  }
};

const skippedText = ({ count }: Extract<CliEvent, { kind: 'skipped' }>): string => {
  const files = count === 1 ? '1 temporary file' : `${count} temporary files`;
  return `Not saved: ${files} of preview nodes (--include temp saves them).`;
};

const existingText = ({ count }: Extract<CliEvent, { kind: 'existing' }>): string =>
  `${count === 1 ? '1 file is' : `${count} files are`} there already, and not saved again:`;

const fixedLines = ({ path, workflow, fixes }: Extract<CliEvent, { kind: 'fixed' }>): EventLines =>
  path === undefined
    ? { data: writeExactJson(workflow, 2) }
    : { notes: [[`Repaired in ${path}: ${count(fixes, 'problem')}.`]] };

const connectionLine = ({ state, promptId, reason }: Extract<CliEvent, { kind: 'connection' }>): Line => {
  if (state === 'back') return [{ text: 'Connected again.', style: 'green' }];
  const goesOn = promptId === undefined ? '' : ' The job goes on; its state is asked for meanwhile.';
  return [
    { text: state === 'lost' ? 'Connection lost' : 'No connection yet', style: 'yellow' },
    `${reason === undefined ? '' : ` (${reason})`}.${commandHint({ message: reason ?? '', hint: goesOn })}`,
  ];
};

const textLines = ({
  nodeId,
  displayNodeId = nodeId,
  text,
  titles,
}: Extract<CliEvent, { kind: 'text' }>): readonly Line[] => {
  const label = { text: `${nodeLabel({ nodeId, displayNodeId }, titles)}:`, style: 'bold' } as const;
  const [first = '', ...more] = text.trimEnd().split(/\r\n|[\n\r]/u);
  if (more.length === 0) return [[label, ` ${first}`]];
  return [[label], ...[first, ...more].map((line): Line => [`  ${line}`])];
};

const unreadLine = ({ nodeId, key, reason, sample, titles }: Extract<CliEvent, { kind: 'unread' }>): Line => [
  { text: 'Warning: ', style: 'yellow' },
  `${nodeLabel({ nodeId, displayNodeId: nodeId }, titles)} told something that can't be read (${reason})`,
  `${key === '' ? '' : `, under ${key}`}: ${sample}`,
];

const listeningLines = (event: CliEvent & { readonly kind: 'gateway' | 'studio' }): EventLines =>
  event.kind === 'gateway'
    ? { results: [[`listening on ${event.baseUrl}`]] }
    : {
        results: [[`the studio is at ${event.baseUrl}/`]],
        notes: [[`Its jobs run on ${event.service}.`]],
      };

const submittedLines = (event: Extract<CliEvent, { kind: 'submitted' }>): EventLines => {
  const { promptId, recorded = false, detached } = event;
  const earlier = 'An earlier run with this job key submitted it';
  if (detached) return { results: [[promptId]], notes: recorded ? [[`${earlier}.`]] : [] };
  return { notes: [[recorded ? `${earlier} as ` : 'Submitted as ', { text: promptId, style: 'bold' }]] };
};

const statusLine = ({ status: { phase, status, queue } }: Extract<CliEvent, { kind: 'status' }>): Line => [
  phase,
  ...(status === phase ? [] : [` (${status})`]),
  ...(queue?.position === undefined ? [] : [`, place ${queue.position}`]),
];

const unverified = ({ filename }: { readonly filename: string }): Line => [
  { text: 'Warning: ', style: 'yellow' },
  `the storage gave no length for ${filename}, so a truncated download would go unnoticed`,
];

const queueLines = ({ running, pending }: Queue, server?: string): readonly Line[] => {
  const where = server === undefined ? '' : `${server}: `;
  const on = server === undefined ? '' : ` on ${server}`;
  if (running.length + pending.length === 0) return [[`${where}Nothing runs, nothing waits.`]];
  return [
    ...running.map(({ promptId }): Line => [{ text: 'running ', style: 'green' }, promptId, on]),
    ...pending.map(({ promptId }): Line => ['waiting ', promptId, on]),
  ];
};

const classLines = (name: string, { category, description, input, output }: NodeInfo): readonly Line[] => [
  [{ text: name, style: 'bold' }, ` (${category})`],
  ...(description === undefined || description === '' ? [] : [[description]]),
  ...(['required', 'optional'] as const).flatMap((group) =>
    Object.entries(input[group] ?? {}).map(([key, spec]): Line => {
      const mark = group === 'optional' ? '?' : '';
      return ['  ', { text: `${key}${mark}`, style: 'cyan' }, `: ${typeName(spec[0])}${defaultOf(spec[1])}`];
    }),
  ),
  ['  → ', output.map(typeName).join(', ')],
];

const typeName = (type: unknown): string =>
  Array.isArray(type)
    ? type.slice(0, 12).map(String).join(' | ') + (type.length > 12 ? ' | …' : '')
    : String(type);

const defaultOf = (options: unknown): string =>
  typeof options === 'object' && options !== null && 'default' in options
    ? ` = ${writeExactJson(options.default)}`
    : '';

/** One line for what is well, and what to do beneath what is not. */
const checkLines = ({
  check,
  status,
  message,
  fix,
}: Extract<CliEvent, { kind: 'check' }>): readonly Line[] => [
  [`${status.padEnd(8)} ${check}: ${message}`],
  ...(fix === undefined ? [] : [[`${' '.repeat(9)}${fix}`]]),
];

const failureLines = (failure: JobFailure): readonly Line[] => [
  [{ text: `${failure.exceptionType}: `, style: 'red' }, failure.exceptionMessage],
  ...(failure.nodeId === undefined || failure.nodeId === ''
    ? []
    : [[`  at node ${failure.nodeId}${failure.nodeType === undefined ? '' : ` (${failure.nodeType})`}`]]),
  ...(failure.requestId === undefined ? [] : [[`  request id: ${failure.requestId}`]]),
  ...Object.entries(failure.nodeErrors).flatMap(([nodeId, { classType, errors }]) =>
    errors.map(({ message, details }): Line => [`  node ${nodeId} (${classType}): ${message} ${details}`]),
  ),
  ...failure.traceback
    .slice(-tracebackLines)
    .map((line): Line => [{ text: `  ${line.trimEnd()}`, style: 'dim' }]),
];

const tracebackLines = 12;

const errorLines = (error: ServiceError | Error): readonly Line[] => {
  const text = isServiceError(error) ? render(error) : error.message;
  const [first = '', ...more] = text.split('\n');
  return [[{ text: 'Error: ', style: 'red' }, first], ...more.map((line): Line => [line])];
};

const problemLine = ({ severity, message, serverOnly }: Problem): Line => [
  severity === 'error' && serverOnly !== true
    ? { text: 'Error: ', style: 'red' }
    : { text: 'Warning: ', style: 'yellow' },
  message,
  ...(serverOnly === true ? [' (only the server can tell)'] : []),
];

const verdictText = ({ verdict, errors, warnings }: Extract<CliEvent, { kind: 'verdict' }>): string =>
  `${verdicts[verdict]}: ${count(errors, 'error')}, ${count(warnings, 'warning')}`;

const verdicts = { accepted: 'Accepted', partly: 'Accepted in part', refused: 'Refused' } as const;
